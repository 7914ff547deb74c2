/// Joins samples with what buffers hold (protocol reference, section 14.3, type 1B).
struct Fuser: ProcessorOperation {
  static let code: UInt8 = 0x1B
  let name = "fuser"
  /// Buffers there is room for.
  static let limit = 12

  /// Slots of buffers, in the order of the output.
  var buffers: [UInt8]

  var bytes: [UInt8] {
    let slots = buffers.prefix(Self.limit)
    return [UInt8(slots.count)] + slots + Array(repeating: 0, count: Self.limit - slots.count)
  }

  init(_ buffers: [UInt8]) { self.buffers = buffers }

  init?(_ bytes: [UInt8], on dialect: ProcessorDialect) {
    guard let count = bytes.first.map({ Int($0 & 0x1F) }), count <= Self.limit, bytes.count > count else {
      return nil
    }
    buffers = Array(bytes[1...].prefix(count))
  }

  func output(of input: SampleLayout, with buffers: [SampleLayout]) -> SampleLayout {
    .record([input] + buffers)
  }

  func refusal(of input: SampleLayout, on dialect: ProcessorDialect) -> ProcessorRefusal? {
    dialect.hasFuser ? nil : .board("needs revision 1 of the processor module")
  }
}
