import Dialects
import FleetModel
import Storage
import Testing

@testable import metafleet

@Suite struct SessionDeletionChoiceTests {
  private static let id = LogExample.session().id.description

  private static func arguments(_ words: [String]) throws -> JSONObject {
    try SessionDeletionChoice(words: words, isForAll: false).arguments(in: exampleFleet())
  }

  @Test func `words mean sessions by their ids, and boards by anything else`() throws {
    #expect(try Self.arguments([Self.id]) == ["sessions": [.string(Self.id)]])
    #expect(
      try Self.arguments([Self.id.prefix(10).lowercased()]) == [
        "sessions": [.string(String(Self.id.prefix(10)))]
      ])
    #expect(try Self.arguments(["Pump 3"]) == ["boards": ["e5a1c2d3f4b6"]])
    #expect(try Self.arguments(["001122334455"]) == ["boards": ["001122334455"]])
    #expect(throws: CommandLineFailure.self) { try Self.arguments(["no such board"]) }
  }

  @Test func `what is said besides goes on to the gateway`() throws {
    let choice = SessionDeletionChoice(
      words: [], isForAll: true, kind: .stream, before: Timestamp(milliseconds: 7), undelivered: true)
    #expect(
      try choice.arguments(in: exampleFleet()) == [
        "all": true, "kind": "stream", "before_ms": 7, "undelivered": true,
      ])
    #expect(try choice.board(in: exampleFleet()) == nil)
  }

  @Test func `all and some are told apart`() {
    #expect(SessionDeletionChoice(words: [], isForAll: false).fault != nil)
    #expect(SessionDeletionChoice(words: ["x"], isForAll: true).fault != nil)
    #expect(SessionDeletionChoice(words: [], isForAll: true).fault == nil)
    #expect(SessionDeletionChoice(words: ["x"], isForAll: false).fault == nil)
  }
}
