import BoardKit

/// Lets samples through: all, while a switch is on, or a number of them (protocol reference, section 14.3, type 01).
struct Passthrough: ProcessorOperation {
  enum Mode: UInt8, Sendable, CaseIterable {
    case all = 0
    /// While the count is not 0.
    case conditional = 1
    /// The next `count` samples.
    case count = 2
  }

  static let code: UInt8 = 0x01
  var isResettable: Bool { true }
  /// It counts down; a switch stays.
  var isMoving: Bool { mode == .count }
  let name = "passthrough"
  var mode: Mode
  var count: UInt16 = 0

  var bytes: [UInt8] {
    var bytes = [mode.rawValue]
    bytes.append(number: count)
    return bytes
  }

  init(_ mode: Mode, count: UInt16 = 0) { (self.mode, self.count) = (mode, count) }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard let mode = bytes.first.flatMap(Mode.init), let count = bytes.number(at: 1, as: UInt16.self) else {
      return nil
    }
    self.init(mode, count: count)
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout { input }
  /// The count.
  func state(of input: SampleLayout) -> SampleLayout? { .numbers(.plain(2)) }
  /// It computes nothing: any bytes pass that fit a notification.
  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? { nil }
}
