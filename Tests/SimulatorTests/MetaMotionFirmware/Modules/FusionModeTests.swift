import Testing

@testable import Simulator

struct FusionModeTests {
  @Test func `Outputs have consecutive registers and bits`() {
    #expect(FusionOutput.allCases.map(\.register) == [4, 5, 6, 7, 8, 9, 10])
    #expect(FusionOutput.allCases.map(\.bit) == [1, 2, 4, 8, 16, 32, 64])
  }

  @Test func `Corrected values need their sensor`() {
    #expect(FusionMode.imuPlus.provides(.angularVelocity) && !FusionMode.imuPlus.provides(.magneticField))
    #expect(FusionMode.compass.provides(.magneticField) && !FusionMode.compass.provides(.angularVelocity))
    #expect(FusionOutput.allCases.allSatisfy { !FusionMode.sleep.provides($0) })
  }
}
