import BoardKit
import FleetModel

/// How far a transfer has come, as it is published: once a second, however many packets there are. Pure.
struct TransferPace: Hashable, Sendable {
  /// Of the image, percent; nil before the first byte arrived.
  private(set) var percent: Double?
  /// When it will be over, at the rate so far.
  private(set) var expected: Timestamp?
  private var began: Duration?
  private var shown: Duration?

  static let period = Duration.seconds(1)

  /// Takes how many bytes the board has by now. Returns whether that is to be published.
  mutating func take(_ progress: TransferProgress, at uptime: Duration, now: Timestamp) -> Bool {
    guard progress.sent > 0, progress.total > 0 else {
      // The flash is erased first, which says nothing about the rate.
      began = uptime
      return false
    }
    let since = began ?? uptime
    began = since
    let isLast = progress.sent >= progress.total
    // What follows the last packet brings no news.
    if isLast, percent == 100 { return false }
    if let shown, uptime - shown < Self.period, !isLast { return false }
    shown = uptime
    percent = min(100, Double(progress.sent) / Double(progress.total) * 100)
    let left = (uptime - since) * (Double(progress.total - progress.sent) / Double(progress.sent))
    expected = uptime > since ? now + left : nil
    return true
  }
}
