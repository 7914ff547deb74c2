package import FleetModel

/// A live sample as it is read (MQTT contract 3.1). `SampleCodec` writes it, straight into bytes.
package struct LiveSampleDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  /// Keys of a live sample that are no values.
  private static let frame: Set<String> = ["ts_ms", "seq", "board", "stream", "gw"]

  /// The values with their keys, in the order of the sample.
  package var values: [(key: String, value: Double)] {
    json.members.compactMap { key, value in
      Self.frame.contains(key) ? nil : value.number.map { (key, $0) }
    }
  }
}

extension DocumentField where Document == LiveSampleDocument, Value == BoardID {
  package static var board: Self { .init("board") }
}

extension DocumentField where Document == LiveSampleDocument, Value == String {
  /// The board as it was written.
  package static var boardWord: Self { .init("board") }
  package static var stream: Self { .init("stream") }
}

extension DocumentField where Document == LiveSampleDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
}

extension DocumentField where Document == LiveSampleDocument, Value == Int {
  /// The number of the same sample on the record lane.
  package static var number: Self { .init("seq") }
}
