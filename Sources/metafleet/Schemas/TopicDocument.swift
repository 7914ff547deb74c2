import FleetModel

/// The reference of topics as Markdown: what stands where, key by key.
enum TopicDocument {
  static var page: String {
    let head = [
      "# Topics", "",
      "Made from the catalogue by `metafleet verbs --export deploy`, as are [asyncapi.json](asyncapi.json), the same for programs",
      "(AsyncAPI 3.0.0), and the [schemas](../schemas) that both refer to; a test holds them together, and every message of the judged runs",
      "is held to them. What topics are for, and how they work together, is in [mqtt-api.md](mqtt-api.md).",
    ]
    return text([head] + [topics, parameters, documents, further])
  }

  /// The page of what fills places in braces.
  static var kinds: String {
    let head = [
      "# Streams and events", "",
      "Made from the catalogue by `metafleet verbs --export deploy`: what `{stream}` and `{kind}` of the",
      "[topics](mqtt-topics.md) can be.",
    ]
    return text([head, streams, events])
  }

  private static func text(_ parts: [[String]]) -> String {
    parts.joined(separator: [""]).joined(separator: "\n") + "\n"
  }

  private static let topics =
    ["| topic | by the gateway | QoS | retained | payload | |", "|---|---|---|---|---|---|"]
    + TopicReference.all.map { topic in
      "| `\(topic.topic)` | \(topic.direction == .published ? "sent" : "heard") | \(topic.qualityOfService) | "
        + "\(topic.isRetained ? "yes" : "no") | \(words(topic.payload)) | \(topic.summary) |"
    }

  private static func words(_ payload: TopicReference.Payload) -> String {
    switch payload {
    case .document(let name): link(name)
    case .cbor(let name): "CBOR of \(link(name))"
    case .text(let summary, _): "text: \(summary)"
    case .requests: "[by verb](verbs.md)"
    case .replies: "\(link("reply")), `data` [by verb](verbs.md)"
    case .jobReplies: link("reply")
    }
  }

  private static func link(_ name: String) -> String { "[\(name)](../schemas/\(name).json)" }

  private static let parameters =
    ["| in braces | | default |", "|---|---|---|"]
    + TopicReference.parameters.map { name, summary, standard in
      "| `{\(name)}` | \(summary) | \(standard.map { "`\($0)`" } ?? "") |"
    }

  private static let documents: [String] =
    [
      "## Documents", "",
      "Keys marked *always* are there in every message; the others are left out where nothing is known.",
    ]
    + ContractFiles.documents.flatMap { name, schema -> [String] in
      [
        "", "### [\(schema["title"]?.string ?? name)](../schemas/\(name).json)", "", "| key | values | | |",
        "|---|---|---|---|",
      ]
        + rows(schema)
    }

  private static func rows(_ schema: JSONObject) -> [String] {
    let always = schema["required"]?.array ?? []
    return (schema["properties"]?.object?.members ?? []).map { key, value in
      let described = value.object ?? [:]
      return "| `\(key)` | \(SchemaWords.of(described)) | \(always.contains(.string(key)) ? "always" : "") | "
        + "\(described["description"]?.string ?? "") |"
    }
  }

  private static let streams =
    ["## Streams", "", "| stream | fields | unit |", "|---|---|---|"]
    + StreamCatalogue.all.filter { $0.outlet == .stream }.map { stream in
      "| `\(stream.name)` | \(list(stream.fields.map(\.name))) | \(stream.fields.first?.unit ?? "") |"
    }

  private static let events =
    ["## Events", "", "| kind | of | `event_type` | fields beside those above |", "|---|---|---|---|"]
    + EventKind.allCases.map { kind in
      let subjects = [
        EventKind.ofBoards.contains(kind) ? "boards" : nil,
        EventKind.ofGateways.contains(kind) ? "gateways" : nil,
      ]
      return
        "| `\(kind.rawValue)` | \(subjects.compactMap { $0 }.joined(separator: ", ")) | \(list(kind.types)) | \(list(kind.fields)) |"
    }

  private static let further = [
    "## Streams, events, commands", "",
    "Every stream and every kind of event: [mqtt-events.md](mqtt-events.md). Every verb by itself, with its arguments and its",
    "answer: [verbs.md](verbs.md).",
  ]

  private static func list(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: " ") }
}
