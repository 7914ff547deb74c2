import Testing

@testable import FleetModel

@Suite struct KeptStreamsConfigurationTests {
  private static let board = BoardID("c0ffee000001")!

  @Test func `nothing is kept unless the file says so`() {
    #expect(!KeptStreamsConfiguration().keeps("acceleration", of: Self.board))
    #expect(!KeptStreamsConfiguration(document: ["keep": "none"]).keeps("acceleration", of: Self.board))
    #expect(KeptStreamsConfiguration(document: ["keep": "7d"]).keeps("acceleration", of: Self.board))
  }

  @Test func `where streams or boards are named, only these are kept`() {
    let some = KeptStreamsConfiguration(document: [
      "keep": "7d", "only": ["acceleration"], "boards": ["C0:FF:EE:00:00:01"],
    ])
    #expect(some.keeps("acceleration", of: Self.board))
    #expect(!some.keeps("temperature-die", of: Self.board))
    #expect(!some.keeps("acceleration", of: BoardID("c0ffee000002")!))
  }
}
