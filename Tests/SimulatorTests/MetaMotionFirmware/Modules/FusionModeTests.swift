import Testing

@testable import Simulator

struct FusionModeTests {
  @Test func `Outputs have consecutive registers and bits`() {
    #expect(FusionOutput.allCases.map(\.register) == [4, 5, 6, 7, 8, 9, 10])
    #expect(FusionOutput.allCases.map(\.bit) == [1, 2, 4, 8, 16, 32, 64])
  }

  @Test func `Corrected values need their sensor`() {
    #expect(FusionMode.imuPlus.tells(.angularVelocity) && !FusionMode.imuPlus.tells(.magneticField))
    #expect(FusionMode.compass.tells(.magneticField) && !FusionMode.compass.tells(.angularVelocity))
    #expect(FusionOutput.allCases.allSatisfy { !FusionMode.sleep.tells($0) })
  }
}
