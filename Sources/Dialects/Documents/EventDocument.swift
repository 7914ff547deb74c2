package import FleetModel

/// An event (MQTT contract 5): what all have in common; the fields of its kind stand beside it.
package struct EventDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ event: EventMessage, gateway: String) {
    self.init {
      $0[.time] = event.time
      $0[.id] = event.id.description
      $0[.kind] = event.kind
      $0[.type] = event.type
      if case .board(let board) = event.subject { $0[.board] = board }
      $0[.gateway] = gateway
      $0.json = $0.json.merging(event.fields)
      $0[.message] = event.message
    }
  }
}

extension DocumentField where Document == EventDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
}

extension DocumentField where Document == EventDocument, Value == EventKind {
  package static var kind: Self { .init("kind") }
}

extension DocumentField where Document == EventDocument, Value == BoardID {
  package static var board: Self { .init("board") }
}

extension DocumentField where Document == EventDocument, Value == String {
  package static var id: Self { .init("event_id") }
  package static var type: Self { .init("event_type") }
  package static var gateway: Self { .init("gw") }
  package static var message: Self { .init("message") }
  /// Of events about a stream.
  package static var stream: Self { .init("stream") }
  /// Of `publish-refused`.
  package static var topic: Self { .init("topic") }
}
