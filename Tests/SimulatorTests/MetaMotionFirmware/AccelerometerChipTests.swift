import Testing

@testable import Simulator

struct AccelerometerChipTests {
  @Test func `Too much acceleration saturates`() {
    #expect(AccelerometerChip.bmi270.raw(5, rangeByte: 0) == 32767)
    #expect(AccelerometerChip.bmi270.raw(-5, rangeByte: 0) == -32768)
    #expect(AccelerometerChip.bmi270.raw(5, rangeByte: 2) == 20480)
    #expect(AccelerometerChip.bmi160(revision: 2).raw(-1, rangeByte: 0x0C) == -2048)
  }

  @Test func `An unknown range is the smallest`() {
    #expect(AccelerometerChip.bmi160(revision: 2).raw(1, rangeByte: 0x01) == 16384)
  }

  @Test func `Packed data came with revision 1 of the BMI160`() {
    #expect(AccelerometerChip.bmi160(revision: 0).packed == nil)
    #expect(AccelerometerChip.bmi160(revision: 1).packed == 0x1C)
    #expect(AccelerometerChip.bmi270.packed == 0x05)
  }
}
