import Testing

@testable import MetaMotion

struct FusionCalibrationTests {
  @Test func `the state has three numbers`() throws {
    let state = try #require(FusionCalibration(bytes("198b000102")))
    #expect((state.acceleration, state.gyroscope, state.magnetometer) == (0, 1, 2))
    #expect(FusionCalibration(bytes("198b0001")) == nil)
  }

  @Test func `T70 a magnetometer's block below accuracy 3 is encoded, but known to crash the board`() throws {
    let poor = bytes("660017fd8afc7f030100")
    let good = bytes("660017fd8afc7f030300")
    let block = try #require(FusionCalibration.Block(.magnetometer, poor))
    #expect(block.command == bytes("190e") + poor)
    #expect(!block.isSafe)
    #expect(FusionCalibration.Block(.magnetometer, good)?.isSafe == true)
    #expect(FusionCalibration.Block(.acceleration, poor)?.isSafe == true)
    #expect(FusionCalibration.Block(.gyroscope, reply: bytes("198d") + good)?.bytes == good)
    #expect(FusionCalibration.Block(.gyroscope, Array(good.dropLast())) == nil)
  }
}
