import FleetModel
import Testing

@testable import MetaMotion

struct ModuleInfoTests {
  @Test func `an absent module answers two bytes`() throws {
    let info = try #require(ModuleInfo.decode(bytes("1680")))
    #expect(!info.isPresent)
    #expect(info.implementation == nil)
    #expect(info.revision == nil)
  }

  @Test func `what follows the revision is kept`() throws {
    let info = try #require(ModuleInfo.decode(bytes("0b800003080000fb030002")))
    #expect(info.isPresent)
    #expect(info.implementation == 0)
    #expect(info.revision == 3)
    #expect(info.extra == bytes("080000fb030002"))
  }

  @Test(arguments: ["", "03", "0304", "0381 01 02"])
  func `other packets are none`(hex: String) { #expect(ModuleInfo.decode(bytes(hex)) == nil) }
}
