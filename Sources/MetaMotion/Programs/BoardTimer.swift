import BoardKit

/// A timer of the board (protocol reference, section 17).
struct BoardTimer: Hashable, Sendable {
  var periodMilliseconds: UInt32
  /// Nil = without end.
  var repetitions: UInt16?
  /// Whether it fires as soon as it is started, and not after one period.
  var isImmediate = false

  static let creation = Register(.timer, 0x02)
  static let tick = Register(.timer, 0x06)
  private static let starting = Register(.timer, 0x03)
  private static let stopping = Register(.timer, 0x04)
  private static let removal = Register(.timer, 0x05)
  private static let notification = Register(.timer, 0x07)
  private static let endless: UInt16 = 0xFFFF

  /// Creates it, stopped; the board answers with the slot.
  var command: [UInt8] {
    var payload: [UInt8] = []
    payload.append(number: periodMilliseconds)
    payload.append(number: repetitions ?? Self.endless)
    payload.append(isImmediate ? 1 : 0)
    return Self.creation.write(payload)
  }

  init(periodMilliseconds: UInt32, repetitions: UInt16? = nil, isImmediate: Bool = false) {
    self.periodMilliseconds = periodMilliseconds
    self.repetitions = repetitions
    self.isImmediate = isImmediate
  }

  /// Reads the answer to a read of `creation`, which does not repeat the slot; nil for an empty slot.
  init?(_ reply: [UInt8]) {
    guard let period = reply.number(at: 2, as: UInt32.self),
      let repetitions = reply.number(at: 6, as: UInt16.self),
      let immediate = reply.number(at: 8, as: UInt8.self),
      // What an unwritten slot of flash or memory would say; the source says nothing of it (section 41).
      period != 0, period != .max
    else { return nil }
    self.init(
      periodMilliseconds: period, repetitions: repetitions == Self.endless ? nil : repetitions,
      isImmediate: immediate != 0)
  }

  /// The slot that a board assigned, from the answer to a creation; nil when it is none.
  static func slot(_ reply: [UInt8]) -> UInt8? { reply.number(at: 2, as: UInt8.self) }
  static func start(_ slot: UInt8) -> [UInt8] { starting.write(slot) }
  static func stop(_ slot: UInt8) -> [UInt8] { stopping.write(slot) }
  /// Removes it; events that wait for it stay and must be removed, too.
  static func remove(_ slot: UInt8) -> [UInt8] { removal.write(slot) }
  /// Whether the host hears its ticks.
  static func setNotification(_ slot: UInt8, _ isOn: Bool) -> [UInt8] {
    notification.write(slot, isOn ? 1 : 0)
  }
  /// Where its ticks come out.
  static func signal(_ slot: UInt8) -> SignalAddress { SignalAddress(tick, index: slot) }
}
