import Testing

@testable import Simulator

struct ImpossibleValueTests {
  @Test(arguments: [
    (ImpossibleValue.battery, "118c50a00f", "118cffa00f"), (.temperature, "048102a000", "048102ff7f"),
    (.pressure, "120100e08b01", "1201ffffffff"), (.altitude, "120200100000", "1202ffffff7f"),
    (.humidity, "168100c80000", "1681ffffffff"),
    (.quaternion, "19070000803f000000000000000000000000", "190700000000000000000000000000000000"),
    (.eulerAngles, "19080000803f000000000000000000000000", "19080000c07f0000c07f0000c07f0000c07f"),
    (.gravity, "19090000803f0000000000000000", "19090000c07f0000c07f0000c07f"),
    (.linearAcceleration, "190a0000803f0000000000000000", "190a0000c07f0000c07f0000c07f"),
  ])
  func `The value is spoiled, and its header stays`(value: ImpossibleValue, packet: String, expected: String)
  {
    #expect(value.spoiled([UInt8](hex: packet)) == [UInt8](hex: expected))
  }

  @Test(arguments: ImpossibleValue.allCases)
  func `Packets of something else stay`(value: ImpossibleValue) {
    for packet in ["", "19", "1907", "0304000100020003", "0b84000000000100"] {
      #expect(value.spoiled([UInt8](hex: packet)) == nil)
    }
  }
}
