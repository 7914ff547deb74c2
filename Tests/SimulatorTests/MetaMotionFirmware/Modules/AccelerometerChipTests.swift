import Testing

@testable import Simulator

struct AccelerometerChipTests {
  @Test func `An unknown range is the smallest`() {
    #expect(AccelerometerChip.bmi160(revision: 2).scale(rangeByte: 0x01) == 16384)
    #expect(AccelerometerChip.bmi270.scale(rangeByte: 0x02) == 4096)
  }

  @Test func `Packed data came with revision 1 of the BMI160`() {
    #expect(AccelerometerChip.bmi160(revision: 0).packed == nil)
    #expect(AccelerometerChip.bmi160(revision: 1).packed == 0x1C)
    #expect(AccelerometerChip.bmi270.packed == 0x05)
  }
}
