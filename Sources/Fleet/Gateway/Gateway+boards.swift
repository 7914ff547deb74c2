import BoardKit
import Dialects
import FleetModel
import Storage

/// What boards ask of their gateway, and what is asked of it for them.
extension Gateway: SupervisorDelegate {
  /// Admits a board, or changes what is said of it.
  func admit(_ admission: Admission, origin: DesiredBoard.Origin) async -> CommandOutcome {
    if let failure = listed(admission.board) { return .failed(failure) }
    if let failure = admission.profile.flatMap(missing(profile:)) { return .failed(failure) }
    if let name = admission.name, let other = roster.owner(of: name, besides: admission.board) {
      return .failed(
        .invalid("the board \(other) has the name \(PrintableText.quoted(name)); choose another one"))
    }
    let merged = roster.merged(admission)
    do throws(StoreFailure) {
      let isNew = try await environment.store.boards.admit(
        BoardAdmission(
          board: admission.board, document: StoredAdmission.bytes(merged), created: now,
          admittedBy: origin.rawValue))
      if isNew { try await environment.store.logs.keep(admission.board) }
      if origin == .command {
        joining.unblock(admission.board)
      } else if joining.blocked.contains(admission.board) {
        // Blocked while it was stored.
        _ = try await environment.store.boards.dismiss(admission.board)
        return .failed(.invalid("the address is blocked; metafleet admit lifts that"))
      }
      roster.admit(merged, origin: origin, at: now)
      await reconcile()
      if isNew {
        await publish(
          .boardAdmitted, "admitted",
          fields: ["board": .string(admission.board.description), "by": .string(origin.rawValue)])
      }
      return .done(
        evidence: nil, data: ["board": .string(admission.board.description), "created": .bool(isNew)])
    } catch {
      return .failed(CommandFailure(.internal, "the admission cannot be stored: \(error)"))
    }
  }

  /// Why verbs cannot change what is said of a board; nil when they can.
  func listed(_ board: BoardID) -> CommandFailure? {
    guard roster.isListed(board) else { return nil }
    return .invalid("the board is listed in the configuration file; edit the file and reload")
  }

  func missing(profile: String) -> CommandFailure? {
    guard configuration.profiles[profile] == nil else { return nil }
    return .invalid(Suggestion.missing("profile", profile, among: configuration.profiles.keys.sorted()))
  }

  func choose(_ choice: ProfileChoice?, for board: BoardID) async {
    roster.choose(choice, for: board)
    await reconcile()
  }

  func archived(_ board: BoardID, _ failure: StoreFailure?) async {
    await stored(.log(of: board), failure)
  }

  func passed(_ board: BoardID, _ step: DownloadStep) {}

  /// Whether an adapter is one that the configuration lets us use.
  func uses(_ adapter: AdapterID) -> Bool { configuration.bluetooth.adapters?.contains(adapter) ?? true }

  /// What only shows when logs are decoded. Unknown loggers are reported with the download.
  func noticed(_ notice: LogNotice) async {
    if let (board, draft) = notice.draft { await supervisors[board]?.publish(draft) }
  }

  /// Every retained document as it is now, and the boards that may have some; nil while nobody has confirmed which.
  func retainedState() async -> (events: [FleetEvent], boards: Set<BoardID>?) {
    var events = ownDocuments
    for board in supervisors.keys.sorted() { events += await supervisors[board]?.retainedDocuments ?? [] }
    return (events, roster.unconfirmed.isEmpty ? Set(supervisors.keys) : nil)
  }

  /// What is published of the gateway itself.
  private var ownDocuments: [FleetEvent] { documents.retained(storage: storage.condition) }

  /// From the documents as they are published, as any client would read them.
  func explain(_ board: BoardID) async -> CommandOutcome {
    let dialect = PlainDialect(topics: services.topics)
    var view = FleetView(base: services.topics.base, scope: .everything)
    let events = ownDocuments + (await supervisors[board]?.retainedDocuments ?? [])
    let messages =
      [dialect.birth(0, at: started.time, reason: "started")] + events.flatMap { dialect.messages(for: $0) }
    for outgoing in messages { view.apply(topic: outgoing.message.topic, payload: outgoing.message.payload) }
    let explanation = ExplanationRule(board: board, fleet: view, now: now).explain()
    return .done(evidence: nil, data: explanation.json)
  }
}

extension LogNotice {
  /// The event that reports it, and of which board; nil where the download has reported it.
  var draft: (BoardID, EventDraft)? {
    switch self {
    case .unknownLoggers: return nil
    case .ambiguousClock(let board, _, let boot):
      return (board, EventDraft(.clock, "ambiguous", fields: ["boot": .integer(Int64(boot))]))
    case .impossibleValues(let board, let session, let stream, let field, let value, let count):
      let fields: JSONObject = [
        "stream": .string(stream), "session": .string(session.description), "field": .string(field),
        "value": ImpossibleValue(field: field, value: value).json, "count": .integer(Int64(count)),
      ]
      return (board, EventDraft(.dataQuality, "impossible-value", fields: fields))
    }
  }
}
