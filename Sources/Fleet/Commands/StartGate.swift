/// Holds newcomers back until it is opened, once. Confined to its actor.
final class StartGate {
  /// Those who wait; nil once it is open.
  private var newcomers: [CheckedContinuation<Void, Never>]? = []

  /// Comes back once it is open; who waits comes in the order of arrival.
  func pass(isolation: isolated (any Actor)? = #isolation) async {
    guard newcomers != nil else { return }
    await withCheckedContinuation { newcomers?.append($0) }
  }

  func open() {
    let waiting = newcomers ?? []
    newcomers = nil
    for newcomer in waiting { newcomer.resume() }
  }
}
