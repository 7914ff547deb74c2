import Testing

@testable import Simulator

struct FuserProcessorTests {
  @Test func `Its companions' values follow its own`() throws {
    let configuration = [UInt8](hex: "02 05 07 00 00 00 00 00 00 00 00 00 00")
    var fuser = try #require(FuserProcessor(configuration: configuration))
    #expect(fuser.companions == [5, 7])
    let moment = ProcessorMoment(uptime: .zero, companions: [[3, 4], [5]])
    #expect(fuser.process([1, 2], moment) == [1, 2, 3, 4, 5])
    #expect(isRefused(FuserProcessor.self, "0D 00 00 00 00 00 00 00 00 00 00 00 00"))
    #expect(isRefused(FuserProcessor.self, "01 00"))
  }
}
