/// I2C and SPI (protocol reference 18), with one device on each bus.
struct SerialModule: FirmwareModule {
  static let id: UInt8 = 0x0D
  static let name = "serial"

  private enum Register {
    static let i2c: UInt8 = 0x01
    static let spi: UInt8 = 0x02
  }

  /// Bytes that fit an answer behind its id.
  private static let longestAnswer = 17
  private static let longestI2CWrite = 10
  /// Slave select, clock, the two data pins, and the flags.
  private static let spiHeader = 5
  /// An SPI device of this kind takes the first byte's upper bit for "read".
  private static let readsDevice: UInt8 = 0x80

  let indexed: Set<UInt8> = [Register.i2c, Register.spi]
  private let revision: UInt8
  private var accelerometer = RegisterDevice.mma8452q
  private var inertialUnit = RegisterDevice.bmi160

  init(_ board: Mainboard) { revision = board.model.revision(of: Self.id) }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch register {
    case Register.i2c:
      guard payload.count >= 4, payload[0] == accelerometer.address, payload[2] == 0xFF,
        payload[3] <= Self.longestI2CWrite, payload.count == 4 + Int(payload[3])
      else { return }
      accelerometer.write(Array(payload[4...]), at: payload[1])
    case Register.spi where revision >= 1:
      guard payload.count > Self.spiHeader, payload[0] == inertialUnit.address else { return }
      let data = Array(payload[Self.spiHeader...])
      guard data[0] & Self.readsDevice == 0 else { return }
      inertialUnit.write(Array(data.dropFirst()), at: data[0])
    default: break
    }
  }

  /// A device that is not there does not acknowledge: no answer.
  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    switch register {
    case Register.i2c:
      guard payload.count == 4, payload[0] == accelerometer.address else { return nil }
      let length = min(Int(payload[3]), Self.longestAnswer)
      return [payload[2]] + accelerometer.read(length, at: payload[1])
    case Register.spi where revision >= 1:
      guard payload.count > Self.spiHeader, payload[0] == inertialUnit.address else { return nil }
      let length = Int(payload[5] & 0x0F) + 1
      let start = payload.count > Self.spiHeader + 1 ? payload[6] & ~Self.readsDevice : 0
      return [payload[5] >> 4] + inertialUnit.read(length, at: start)
    default: return nil
    }
  }
}
