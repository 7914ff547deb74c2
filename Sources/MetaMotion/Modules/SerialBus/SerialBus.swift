import BoardKit

/// I²C and SPI through the board (protocol reference, section 18).
enum SerialBus: Sendable {
  static let i2c = Register(.serial, 0x01)
  static let spi = Register(.serial, 0x02)
  /// Revision from which there is SPI.
  static let firstRevisionWithSPI: UInt8 = 1
  /// Ids under which answers to the host come back; others are for loggers and processors.
  static let directI2C: UInt8 = 0xFF
  static let directSPI: UInt8 = 0x0F

  /// A register of a device on the I²C bus.
  struct I2CTarget: Hashable, Sendable {
    /// Seven bits.
    var device: UInt8
    var register: UInt8
  }

  /// How a device on the SPI bus is talked to.
  struct SPILink: Hashable, Sendable {
    /// Numbers of the processor's pins.
    var slaveSelect, clock, output, input: UInt8
    var isLeastSignificantFirst = false
    /// 0–3.
    var mode: UInt8 = 3
    /// Place in `clocks`.
    var clockIndex: UInt8 = 3
    /// Whether the processor's own SPI pins are used; the four numbers are sent all the same.
    var isNative = true

    /// In Hz.
    static let clocks = [125_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000]

    var bytes: [UInt8] {
      let flags =
        (isLeastSignificantFirst ? 1 : 0) | (mode & 0b11) << 1 | (clockIndex & 0b111) << 3
        | (isNative ? 0x40 : 0)
      return [slaveSelect, clock, output, input, flags]
    }
  }

  /// At most ten bytes.
  static func write(_ data: [UInt8], to target: I2CTarget) -> [UInt8] {
    i2c.write([target.device, target.register, 0xFF, UInt8(truncatingIfNeeded: data.count)] + data)
  }

  /// What a read of `i2c` says behind the register.
  static func selector(_ target: I2CTarget, length: UInt8, id: UInt8 = directI2C) -> [UInt8] {
    [target.device, target.register, id, length]
  }

  /// At most thirteen bytes.
  static func write(_ data: [UInt8], over link: SPILink) -> [UInt8] { spi.write(link.bytes + data) }

  /// What a read of `spi` says behind the register; `data` is sent first, `length` is 1–16.
  static func selector(
    _ link: SPILink, length: UInt8, id: UInt8 = directSPI, sending data: [UInt8] = []
  ) -> [UInt8] {
    link.bytes + [(length &- 1) & 0xF | id << 4] + data
  }

  /// How answers begin: as answers, or as the specification shows them, as notifications (trap T31).
  static func answer(on register: Register, id: UInt8) -> AnswerPattern {
    AnswerPattern(
      [register.read(id), register.write(id)], register == spi ? "an SPI device" : "an I2C device")
  }

  /// The bytes read, from an answer; nil when it is none.
  static func data(_ reply: [UInt8], id: UInt8) -> [UInt8]? {
    guard reply.count >= 4, reply[2] == id else { return nil }
    return Array(reply[3...])
  }
}
