/// Waiting for whatever comes first.
enum First {
  /// The first element of a stream; nil when it ends without one.
  static func value<Element: Sendable>(of stream: AsyncStream<Element>) async -> Element? {
    for await element in stream { return element }
    return nil
  }

  /// The result of whichever is done first; the other is cancelled.
  static func of<Result: Sendable>(
    _ one: @escaping @Sendable () async -> Result, or other: @escaping @Sendable () async -> Result
  ) async -> Result {
    await withTaskGroup(of: Result.self) { group in
      group.addTask { await one() }
      group.addTask { await other() }
      let first = await group.next()
      group.cancelAll()
      // Two tasks were added, so there is a first.
      if let first { return first }
      return await one()
    }
  }
}
