import FleetModel

/// The files that are made from the catalogue, by their paths below the folder `deploy`.
enum ContractFiles {
  /// Paths and contents.
  static var all: [(path: String, text: String)] {
    [("docs/verbs.md", VerbDocument.index)]
      + VerbCatalogue.all.map { ("docs/verbs/\($0.name).md", VerbDocument.page(of: $0)) }
      + VerbCatalogue.all.map { ("schemas/\(folder($0))/\($0.name).json", text(VerbSchema.request($0))) }
      + [
        ("schemas/reply.json", text(MessageSchema.reply)), ("schemas/event.json", text(MessageSchema.event)),
        ("schemas/live.json", text(MessageSchema.live)), ("schemas/state.json", text(StateSchema.document)),
        ("schemas/configuration.json", text(JSONSchema.file)),
        ("schemas/client.json", text(JSONSchema.clientFile)),
      ]
  }

  private static func folder(_ verb: VerbDefinition) -> String {
    verb.addressee == .board ? "board" : "gateway"
  }

  private static func text(_ schema: JSONObject) -> String { IndentedJSON.of(.object(schema)) + "\n" }
}
