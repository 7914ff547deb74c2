import BoardKit
import FleetModel

/// The board's clock: ticks since its reset, and the number of that reset (protocol reference, section 16.7).
struct LogClock: Hashable, Sendable {
  var tick: UInt32
  var resetID: UInt8

  static let now = Register(.logging, 0x04)
  static let length = Register(.logging, 0x05)

  init(tick: UInt32, resetID: UInt8) {
    self.tick = tick
    self.resetID = resetID
  }

  /// Reads the answer to a read of `now`; nil when it is none.
  init?(_ reply: [UInt8]) {
    guard let tick = reply.number(at: 2, as: UInt32.self), let resetID = reply.number(at: 6, as: UInt8.self)
    else { return nil }
    self.init(tick: tick, resetID: resetID)
  }

  /// When the board was reset, if this was its clock at `arrival`.
  func bootTime(arrival: Timestamp) -> Timestamp {
    Timestamp(nanoseconds: arrival.nanoseconds &- Self.nanoseconds(Int64(tick)))
  }

  /// One tick is 48/32768 s, 5859375/4 ns.
  static func nanoseconds(_ ticks: Int64) -> Int64 { ticks &* 5_859_375 / 4 }

  /// Entries in the log from the answer to a read of `length`; two bytes are accepted as well.
  static func length(_ reply: [UInt8]) -> UInt32? {
    reply.number(at: 2, as: UInt32.self) ?? reply.number(at: 2, as: UInt16.self).map(UInt32.init)
  }
}
