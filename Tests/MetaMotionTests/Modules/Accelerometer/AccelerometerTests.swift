import FleetModel
import Testing

@testable import MetaMotion

struct AccelerometerTests {
  private static let bmi160 = Accelerometer(chip: .bmi160, revision: 2)
  private static let bmi270 = Accelerometer(chip: .bmi270, revision: 0)

  /// The code tables of the protocol reference, sections 8.2 and 9.2.
  @Test func `rates have their codes`() {
    let codes = zip(
      bytes("81 82 83 84 25 26 27 28 29 2a 2b 2c"), bytes("21 22 23 24 a5 a6 a7 a8 a9 aa ab ac"))
    for (index, code) in codes.enumerated() {
      let configuration = AccelerationConfiguration(rate: AccelerationRate(index: index), range: .g2)
      #expect(Self.bmi160.configure(configuration) == [0x03, 0x03, code.0, 0x03])
      #expect(Self.bmi270.configure(configuration) == [0x03, 0x03, code.1, 0x00])
    }
  }

  @Test func `ranges have their codes`() {
    let codes = zip(bytes("03 05 08 0c"), bytes("00 01 02 03"))
    for (range, code) in zip(AccelerationRange.allCases, codes) {
      let configuration = AccelerationConfiguration(rate: AccelerationRate(index: 6), range: range)
      #expect(Self.bmi160.configure(configuration).last == code.0)
      #expect(Self.bmi270.configure(configuration).last == code.1)
    }
  }

  @Test func `the chip is detected by its implementation`() throws {
    func chip(_ hex: String) -> Accelerometer.Chip? {
      ModuleInfo.decode(bytes(hex)).flatMap { Accelerometer($0) }?.chip
    }
    #expect(chip("03800102") == .bmi160)
    #expect(chip("03800400") == .bmi270)
    #expect(chip("03800000") == nil)
    #expect(chip("0380") == nil)
  }

  @Test func `packed data come out where the firmware has them`() {
    #expect(Accelerometer(chip: .bmi160, revision: 0).packedData == nil)
    #expect(Accelerometer(chip: .bmi160, revision: 1).packedData?.subscribe == bytes("031c01"))
    #expect(Self.bmi270.packedData?.subscribe == bytes("030501"))
  }
}
