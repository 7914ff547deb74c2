import Dialects

/// Notices a broker, or something on the way to it, that takes our QoS 1 messages and answers pings, but acknowledges
/// nothing any more (fault F64). Pure.
///
/// Where the line is slow nothing is missed: only what has left this computer is waited for.
struct AcknowledgementWatch: Sendable {
  /// Seconds in which nothing was acknowledged although all was on its way.
  private var silent = 0

  private static let limit = Int(BrokerLimits.acknowledgementTime.components.seconds)

  /// Something was acknowledged.
  mutating func acknowledged() { silent = 0 }

  /// To be called once a second. `isWaiting`: messages are not acknowledged; `isSent`: all of them have left, and what
  /// comes back is read. Returns whether the connection is of no use any more.
  mutating func tick(isWaiting: Bool, isSent: Bool) -> Bool {
    silent = isWaiting && isSent ? silent + 1 : 0
    return silent >= Self.limit
  }
}
