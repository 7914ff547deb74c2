import FleetModel

extension HistoryEntry {
  /// An event with the document that is published of it.
  init(_ event: EventMessage, document: [UInt8]) {
    var board = event.fields["board"]?.string.flatMap { BoardID($0) }
    if case .board(let subject) = event.subject { board = subject }
    self.init(
      time: event.time, kind: event.kind.rawValue, isOfGateway: event.subject == .gateway, board: board,
      adapter: event.fields["adapter"]?.string, document: document)
  }

  /// The end of a command, without what it read: that may be long. Nil for an answer on the way.
  init?(endOf reply: CommandReply, gateway: String) {
    guard case .final = reply.stage else { return nil }
    var document = ReplyDocument(reply, gateway: gateway)
    document[.data] = nil
    document.json["kind"] = .string(Self.command)
    document.json["event_type"] = document[.stageWord].map { .string($0) }
    var board: BoardID?
    if case .board(let target) = reply.target { board = target }
    self.init(
      time: reply.time, kind: Self.command, isOfGateway: board == nil, board: board,
      document: JSONWriter.render(document.json))
  }
}
