/// What callbacks saw, to be awaited one by one.
final class Events<Element: Sendable>: Sendable {
  private let stream = AsyncStream<Element>.makeStream()

  func send(_ element: Element) { stream.continuation.yield(element) }

  /// For one task at a time.
  func next() async -> Element? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }

  /// The next element that fits; the others are dropped.
  func first(where fits: (Element) -> Bool) async -> Element? {
    while let element = await next() { if fits(element) { return element } }
    return nil
  }
}
