import FleetModel

/// The files that are made from the catalogue, by their paths below the folder `deploy`.
enum ContractFiles {
  /// Paths and contents.
  static var all: [(path: String, text: String)] {
    [("docs/verbs.md", VerbDocument.index)]
      + VerbCatalogue.all.map { ("docs/verbs/\($0.name).md", VerbDocument.page(of: $0)) }
      + VerbCatalogue.all.map {
        ("schemas/\($0.addressee.word)/\($0.name).json", text(VerbSchema.request($0)))
      }
      + documents.map { ("schemas/\($0.name).json", text($0.schema)) }
      + [
        ("schemas/configuration.json", text(JSONSchema.file)), ("docs/mqtt-topics.md", TopicDocument.page),
        ("docs/mqtt-events.md", TopicDocument.kinds),
        ("docs/asyncapi.json", text(AsyncAPIDocument.document)),
        ("schemas/client.json", text(JSONSchema.clientFile)),
      ]
  }

  /// The schemas of what gateways publish, by the names of their files.
  static let documents: [(name: String, schema: JSONObject)] = [
    ("board-info", BoardSchema.info), ("board-availability", BoardSchema.availability),
    ("state", StateSchema.document), ("board-config", BoardSchema.configuration),
    ("board-led", BoardSchema.led), ("board-firmware", BoardSchema.firmware), ("live", MessageSchema.live),
    ("batch", BatchSchema.document), ("event", MessageSchema.event), ("reply", MessageSchema.reply),
    ("gateway-availability", GatewaySchema.availability), ("gateway-info", GatewaySchema.info),
    ("gateway-health", GatewaySchema.health), ("gateway-alarms", AlarmSchema.document),
    ("gateway-adapter", GatewaySchema.adapter), ("gateway-rollout", RolloutSchema.document),
    ("homeassistant-device", DiscoverySchema.document), ("homeassistant-gateway", DiscoverySchema.gateway),
  ]

  private static func text(_ schema: JSONObject) -> String { IndentedJSON.of(.object(schema)) + "\n" }
}
