import Testing

@testable import MetaMotion

struct HapticTests {
  @Test(
    arguments: [
      (100, 5_000, "0801f8881300"), (50, 500, "08017cf40100"), (0, 1, "080100010000"),
      (-5, 1, "080100010000"),
      (500, 1, "0801f8010000"), (.nan, 1, "080100010000"),
    ] as [(Double, UInt16, String)])
  func `the motors duty is of 248`(percent: Double, milliseconds: UInt16, hex: String) {
    #expect(Haptic.motor(percent: percent, milliseconds: milliseconds) == bytes(hex))
  }

  @Test func `the buzzers duty is fixed`() {
    #expect(Haptic.buzzer(milliseconds: 7_500) == bytes("08017f4c1d01"))
  }
}
