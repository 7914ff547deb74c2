import FleetModel

/// What people and schemas are told about a value: its words, its JSON Schema, its members.
indirect enum ValueShape: Sendable {
  /// A scalar, or anything that is described in one sentence.
  case value(words: String, schema: JSONObject)
  /// A mapping with these keys and no others.
  case record([KeyDescription])
  /// A mapping from names to values.
  case map(keyPattern: String, ValueShape)
  /// A list.
  case list(ValueShape)
  /// Streams of the catalogue, each with its own keys.
  case streams(StreamUse)

  /// "… must be <words>".
  var words: String {
    switch self {
    case .value(let words, _): words
    case .record(let keys): "a mapping with the keys " + keys.map(\.name).joined(separator: ", ")
    case .map: "a mapping of names"
    case .list(let element): "a list, each " + element.words
    case .streams: "a mapping of streams"
    }
  }
}

/// When a changed key takes effect.
enum Reload: String, Sendable, CaseIterable {
  /// When the file is read again.
  case live
  /// When the daemon starts again.
  case restart
  /// When the file is read again, by a new connection to the broker.
  case reconnect
}

/// A key as people are told of it.
struct KeyDescription: Sendable {
  var name: String
  var summary: String
  var shape: ValueShape
  /// The default as the file would have it; nil where there is none.
  var standard: String?
  /// What counts when the key is missing, where no value says it.
  var whenMissing: String?
  /// A value for the example where there is no default.
  var sample: String?
  var isRequired: Bool
  var reload: Reload?
  /// False: the key is read and checked, but its feature does not exist yet.
  var isInEffect: Bool
}
