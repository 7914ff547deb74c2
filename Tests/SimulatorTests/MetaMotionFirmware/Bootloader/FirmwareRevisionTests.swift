import Testing

@testable import Simulator

struct FirmwareRevisionTests {
  @Test func `Revisions are compared number by number, missing ones are 0`() throws {
    func revision(_ text: String) throws -> FirmwareRevision { try #require(FirmwareRevision(text)) }
    #expect(try revision("1.9.0") < revision("1.10.0") && revision("0.4") == revision("0.4.0"))
    #expect(try revision("0.4").hashValue == revision("0.4.0").hashValue)
    #expect(try revision("1.7.3").successor == revision("1.7.4"))
    #expect(try revision("0.4").description == "0.4")
  }

  @Test(arguments: ["", "1", "1.", ".1", "1.a", "1.7.3-beta", "1.-2", "99999999999999999999.1"])
  func `Anything else is none`(text: String) {
    #expect(FirmwareRevision(text) == nil)
  }

  @Test func `An image is searched for a text of three numbers`() {
    let image = TestImage.bytes(9) + Array("v1.2\0 1.7.4\0 2.0.0".utf8)
    #expect(FirmwareRevision.found(in: image)?.description == "1.7.4")
    #expect(FirmwareRevision.found(in: Array("1.2 1.2.3.4 300".utf8)) == nil)
  }
}
