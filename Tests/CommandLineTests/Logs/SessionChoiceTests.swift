import FleetModel
import Storage
import Testing

@testable import metafleet

@Suite struct SessionChoiceTests {
  private static let other = BoardID("d0ffee000002")!
  private static let sessions = [
    LogExample.session(1), LogExample.session(100_000), LogExample.session(200_000, board: other),
  ]
  private let choice = SessionChoice<LogSession>(sessions: sessions, names: [other: "Pump 3"])

  @Test func `no words mean all; a board's id, its beginning or its name mean all of the board's`() throws {
    #expect(try choice([]) == Self.sessions)
    #expect(try choice(["c0ffee000001"]) == Array(Self.sessions.prefix(2)))
    #expect(try choice(["C0:FF:EE:00:00:01", "Pump 3"]) == Self.sessions)
    #expect(try choice(["d0"]) == [Self.sessions[2]])
  }

  @Test func `a session's id or a beginning that only it has mean that session`() throws {
    let id = Self.sessions[1].id.description
    #expect(try choice([id]) == [Self.sessions[1]])
    #expect(try choice([id.prefix(12).lowercased(), id]) == [Self.sessions[1]])
  }

  @Test func `what is nothing, or could be several, is refused with what to do`() {
    for (word, text) in [
      ("Pump 4", "metafleet sessions lists them"), ("01", "write more of it"),
      ("e0ffee000003", "has no sessions here"),
    ] {
      let failure = #expect(throws: CommandLineFailure.self) { _ = try choice([word]) }
      #expect(failure?.status == .usage)
      #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "")")
    }
  }
}
