/// `sessions-delete` (MQTT contract 4.1).
enum ArchiveVerbs {
  /// What tells one session from all others, but for those of one second.
  private static let shortestBeginning = 8

  static let deleteSessions = VerbDefinition(
    "sessions-delete", .gateway,
    "Deletes logged and streamed sessions from the archive: some, those of boards, or all.",
    [
      Parameter(
        "sessions", .list(of: .identifier(atMost: 26), 0...256), standard: [],
        "by their ids, or the first characters, where no other begins so"),
      Parameter("boards", .list(of: .address, 0...256), standard: [], "those of boards, by id or address"),
      Parameter("all", .boolean, standard: false, "every session there is"),
      Parameter(
        "kind", .choice(SessionKind.allCases.map(\.rawValue)),
        "only what was logged, or only what was streamed; both if left out"),
      Parameter("before_ms", .instant, "only sessions that began before"),
      Parameter(
        "undelivered", .boolean, standard: false, "also logs of which the broker does not have everything"),
      Parameter("preview", .boolean, standard: false, "whether only to tell what would be deleted"),
      Parameter(
        "confirm", .text(1...64), "the gateway's id, as confirmation; needed without preview"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let sessions = arguments["sessions"]?.array?.compactMap { $0.string?.uppercased() } ?? []
      let boards = arguments["boards"]?.array?.compactMap { $0.string.flatMap { BoardID($0) } } ?? []
      let isForAll = arguments["all"]?.bool ?? false
      guard isForAll != !(sessions.isEmpty && boards.isEmpty) else {
        throw .invalid("sessions-delete needs sessions or boards, or all=true and neither of them")
      }
      if let short = sessions.first(where: { $0.count < shortestBeginning }) {
        throw .invalid(
          "\(short) is too short for a session; give its first \(shortestBeginning) characters at least")
      }
      let isPreview = arguments["preview"]?.bool ?? false
      guard isPreview || arguments["confirm"] != nil else {
        throw .invalid("sessions-delete needs confirm, the gateway's id, or preview=true")
      }
      return .gateway(
        .deleteSessions(
          SessionDeletionRequest(
            sessions: sessions, boards: boards, isForAll: isForAll,
            kind: arguments["kind"]?.string.flatMap { SessionKind(rawValue: $0) },
            before: arguments["before_ms"]?.integer.map { Timestamp(milliseconds: $0) },
            undelivered: arguments["undelivered"]?.bool ?? false, isPreview: isPreview)))
    }
  )
  .answering(
    [
      Parameter("deleted", .count, required: true, "sessions deleted; with preview, that would be"),
      Parameter("samples", .count, required: true, "samples in them"),
      Parameter("entries", .count, required: true, "entries of logs in them"),
      Parameter("sessions", .rows(session), required: true, "those, oldest first, at most 100"),
      Parameter("more_sessions", .count, "how many more; left out for none"),
      Parameter(
        "refused",
        .rows(session + [Parameter("reason", .text(1...512), required: true, "why, and what to do")]),
        required: true, "those that stay although they were meant, at most 50"),
      Parameter("more_refused", .count, "how many more; left out for none"),
    ], failing: [.undownloadedData, .notPublished, .busy],
    example: ["boards": ["e5a1c2d3f4b6"], "kind": "stream", "confirm": "floor-3"])

  private static let session = [
    Parameter("session", .text(26...26), required: true, "its id"),
    Parameter("board", .text(12...12), required: true, "its board"),
    Parameter("kind", .text(1...16), required: true, "log or stream"),
    Parameter("stream", .text(1...64), "the stream, where it was streamed"),
    Parameter("started_ms", .instant, required: true, "when it began"),
    Parameter("samples", .count, required: true, "samples, as far as they were published or kept"),
    Parameter("entries", .count, "entries of a log"),
    Parameter("complete", .boolean, "whether all that the board logged was downloaded"),
    Parameter("undelivered", .count, "what of it the broker does not have; left out for nothing"),
    Parameter("running", .boolean, "whether the stream goes on, and its next samples are kept anew"),
  ]
}
