import FleetModel
import Testing

@testable import metafleet

@Suite struct TryAddressTests {
  @Test(arguments: ["E5:A1:C2:D3:F4:B6", "e5a1c2d3f4b6"])
  func `an address is taken with colons or without`(_ text: String) throws {
    #expect(try TryAddress.board(text) == BoardID("e5a1c2d3f4b6"))
  }

  @Test(arguments: ["E5-A1-C2-D3-F4-B6", "e5 a1 c2 d3 f4 b6", "E5A1:C2D3:F4B6"])
  func `the right digits with something else between them are recognised`(_ text: String) {
    let failure = #expect(throws: CommandLineFailure.self) { try TryAddress.board(text) }
    #expect(failure?.status == .usage)
    #expect(failure?.message.hasSuffix("is not a Bluetooth address; did you mean E5:A1:C2:D3:F4:B6?") == true)
  }

  @Test(arguments: ["Pump 3", "E5:A1:C2:D3:F4", "E5:A1:C2:D3:F4:BG", ""])
  func `anything else is refused, and an address shown`(_ text: String) {
    let failure = #expect(throws: CommandLineFailure.self) { try TryAddress.board(text) }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains("six pairs of hexadecimal digits, such as E5:A1:C2:D3:F4:B6") == true)
  }

  @Test func `one slip or two are near, another board is not`() throws {
    let boards = try ["c0ffee000001", "c0ffee000022"].map { try #require(BoardID($0)) }
    let (near, swapped, far) = (BoardID("c0ffee000032"), BoardID("c0ffee000010"), BoardID("e5a1c2d3f4b6"))
    #expect(TryAddress.nearest(to: try #require(near), in: boards) == boards[1])
    #expect(TryAddress.nearest(to: try #require(swapped), in: boards) == boards[0])
    #expect(TryAddress.nearest(to: try #require(far), in: boards) == nil)
  }
}
