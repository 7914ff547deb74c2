/// Something on a serial bus that is a row of 256 bytes.
struct RegisterDevice: Sendable {
  /// Its bus address, or the pin that selects it.
  let address: UInt8
  private var bytes: [UInt8]

  init(address: UInt8, contents: [UInt8: [UInt8]]) {
    self.address = address
    bytes = [UInt8](repeating: 0, count: 256)
    for (start, values) in contents { write(values, at: start) }
  }

  /// The address counts up and wraps at the end.
  mutating func write(_ values: [UInt8], at start: UInt8) {
    for (offset, value) in values.enumerated() { bytes[(Int(start) + offset) & 0xFF] = value }
  }

  func read(_ count: Int, at start: UInt8) -> [UInt8] {
    (0..<max(count, 0)).map { bytes[(Int(start) + $0) & 0xFF] }
  }

  /// An accelerometer that says who it is at 0D, as in the examples of the protocol reference, section 18.1.
  static let mma8452q = RegisterDevice(address: 0x1C, contents: [0x0D: [0x2A]])

  /// An inertial unit selected by pin 10, with its low- and high-g configuration at 5A, as in the examples of the
  /// protocol reference, section 18.2.
  static let bmi160 = RegisterDevice(
    address: 0x0A, contents: [0x00: [0xD1], 0x5A: [0x07, 0x30, 0x81, 0x0B, 0xC0]])
}
