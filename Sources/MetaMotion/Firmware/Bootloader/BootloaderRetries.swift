/// Whether a transfer that failed is tried again, and with how many packets on the way: whole transfers, each from the
/// start over a new link, because a bootloader cannot resume.
package struct BootloaderRetries: Hashable, Sendable {
  /// What follows a failure.
  package enum Verdict: Hashable, Sendable {
    /// A new link to the bootloader, and a transfer with so many packets on the way.
    case again(window: Int)
    /// The board stays in its bootloader, unless it had not begun.
    case giveUp(BootloaderFailure)
  }

  /// Packets on the way at first, and when the bootloader could not take them.
  package static let windows = [10, 4, 1]

  /// Packets on the way of the next transfer.
  package private(set) var window: Int
  /// Transfers that failed.
  package private(set) var failures = 0
  private let limit: Int

  /// `limit`: transfers at most. `window`: packets on the way at first (`firmware.receipts`).
  package init(limit: Int = 3, window: Int = windows[0]) {
    (self.limit, self.window) = (limit, max(window, 1))
  }

  /// Takes a failure.
  package mutating func failed(_ failure: BootloaderFailure) -> Verdict {
    failures += 1
    if failure.isFinal || failures >= limit { return .giveUp(failure) }
    if failure.isOverrun, let smaller = Self.windows.first(where: { $0 < window }) { window = smaller }
    return .again(window: window)
  }
}
