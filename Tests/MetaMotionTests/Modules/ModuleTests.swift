import Testing

@testable import MetaMotion

struct ModuleTests {
  @Test func `modules are asked in the vendors order`() {
    #expect(
      Module.allCases.map(\.rawValue) == [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0F, 0x11, 0x12, 0x13, 0x14,
        0x15,
        0x16, 0x19, 0xFE,
      ])
  }

  @Test func `names are the contracts`() {
    let names =
      "switch led accelerometer temperature gpio ibeacon haptic processor event logging timer serial macro settings "
      + "barometer gyroscope ambient-light magnetometer humidity sensor-fusion debug"
    #expect(Module.allCases.map(\.name).joined(separator: " ") == names)
    for module in Module.allCases { #expect(Module(named: module.name) == module) }
    #expect(Module(named: "neopixel") == nil)
  }
}
