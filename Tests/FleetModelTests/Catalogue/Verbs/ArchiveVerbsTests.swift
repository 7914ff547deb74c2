import FleetModel
import Testing

/// `sessions-delete` (MQTT contract 4.1).
@Suite struct ArchiveVerbsTests {
  private static let board = BoardID("c0ffee000001")!

  private static let cases: [(JSONObject, SessionDeletionRequest)] = [
    (["all": true, "confirm": "g"], .init(isForAll: true)),
    (
      ["sessions": ["01jdb91tas"], "boards": ["C0:FF:EE:00:00:01"], "confirm": "g"],
      .init(sessions: ["01JDB91TAS"], boards: [board])
    ),
    (
      ["boards": ["c0ffee000001"], "kind": "stream", "before_ms": 5, "undelivered": true, "preview": true],
      .init(
        boards: [board], kind: .stream, before: Timestamp(milliseconds: 5), undelivered: true, isPreview: true
      )
    ),
  ]

  @Test(arguments: cases)
  func `means`(arguments: JSONObject, wanted: SessionDeletionRequest) throws {
    #expect(try intent("sessions-delete", arguments, .gateway) == .gateway(.deleteSessions(wanted)))
  }

  @Test(
    arguments: [
      ([:], "needs sessions or boards"), (["confirm": "g"], "needs sessions or boards"),
      (["all": true], "needs confirm"),
      (["boards": ["c0ffee000001"], "all": true, "confirm": "g"], "all=true"),
      (["sessions": ["01JDB"], "confirm": "g"], "too short"), (["boards": ["x"], "confirm": "g"], "boards"),
      (["all": true, "kind": "raw", "confirm": "g"], "kind"),
    ] as [(JSONObject, String)])
  func `refuses what is not clear, or not confirmed`(arguments: JSONObject, words: String) throws {
    let failure = try #require(try refusal("sessions-delete", arguments, .gateway))
    #expect(failure.code == .invalid && failure.message.contains(words), "\(failure.message)")
  }
}
