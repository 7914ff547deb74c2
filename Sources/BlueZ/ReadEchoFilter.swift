/// Tells notifications from what our own reads make BlueZ signal, on a characteristic whose values arrive as
/// signals: BlueZ signals the value that was read just before it answers the read.
struct ReadEchoFilter: Sendable {
  private var readsUnderWay = 0
  private var queuedNotifications: [[UInt8]] = []

  mutating func beganRead() { readsUnderWay += 1 }

  /// A value was signalled; returns the notifications to be delivered now.
  mutating func signalled(_ value: [UInt8]) -> [[UInt8]] {
    guard readsUnderWay > 0 else { return [value] }
    queuedNotifications.append(value)
    return []
  }

  /// A read was answered, with nil if it failed. The newest value that equals the answer was its echo; the others
  /// are notifications and are returned, unless another read is still to be answered.
  mutating func endedRead(_ answer: [UInt8]?) -> [[UInt8]] {
    readsUnderWay -= 1
    if let echo = queuedNotifications.lastIndex(where: { $0 == answer }) {
      queuedNotifications.remove(at: echo)
    }
    guard readsUnderWay == 0 else { return [] }
    defer { queuedNotifications = [] }
    return queuedNotifications
  }
}
