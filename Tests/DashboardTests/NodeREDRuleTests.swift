import Testing

@Suite struct NodeREDRuleTests {
  static let paths = ShippedFiles.files(in: "node-red", endingIn: ".json")

  @Test(arguments: paths)
  func `every flow keeps the rules and the contract`(path: String) throws {
    #expect(NodeREDRule.problems(of: try JSON(ShippedFiles.text(path))) == [])
  }

  @Test func `no credentials are shipped`() {
    #expect(!Self.paths.isEmpty)
    #expect(Self.paths.allSatisfy { !$0.contains("_cred") })
  }

  private static func change(_ type: String, _ key: String, _ value: JSON) -> @Sendable (inout [JSON]) -> Void
  {
    { nodes in
      guard let index = nodes.firstIndex(where: { $0["type"].text == type }) else { return }
      nodes[index][key] = value
    }
  }

  private static func rule(_ property: String, _ value: String) -> JSON {
    .object(["t": .text("set"), "p": .text(property), "pt": .text("msg"), "to": .text(value)])
  }

  /// Damages, each with a word of the problem it must raise.
  static let damages: [(String, @Sendable (inout [JSON]) -> Void)] = [
    ("16 hex", change("inject", "id", .text("abc"))),
    ("unique", { $0.append($0[0]) }),
    ("no core node", change("debug", "type", .text("ui_gauge"))),
    ("not there", change("mqtt in", "broker", .text("0123456789abcdef"))),
    ("not there", change("inject", "wires", .list([.list([.text("0123456789abcdef")])]))),
    ("no subflow", { $0.removeAll { $0["type"].text == "subflow" } }),
    ("z, x and y", change("switch", "x", .null)),
    ("grid", change("switch", "x", .number(123))),
    ("environment", change("mqtt-broker", "broker", .text("localhost"))),
    ("client id", change("mqtt-broker", "clientid", .text("node-red"))),
    ("datatype", change("mqtt in", "datatype", .text("auto-detect"))),
    ("holds credentials", change("mqtt-broker", "credentials", .object([:]))),
    ("names a path", change("comment", "info", .text("see /home/me/flows.json"))),
    ("no topic", change("mqtt in", "topic", .text("metafleet/+/reply"))),
    (
      "no topic",
      change("function", "func", .text("return { topic: `metafleet/board/${msg.board}/command/led` };"))
    ),
    ("no field", change("switch", "property", .text("payload.eventType"))),
    ("no field", change("function", "func", .text("const { id, stge } = msg.payload || {};"))),
    ("another name", change("function", "func", .text("const reply = msg.payload;\nreturn reply.stge;"))),
    ("no verb", change("change", "rules", .list([rule("verb", "lead")]))),
    (
      "takes no",
      change("change", "rules", .list([rule("verb", "led"), rule("args", #"{"colour":"blue"}"#)]))
    ),
    ("no name", change("function", "name", .text(""))),
    ("no catch", { $0.removeAll { $0["type"].text == "catch" } }),
    ("no comment", { $0.removeAll { $0["type"].text == "comment" } }),
  ]

  @Test(arguments: damages.indices)
  func `a damaged flow is found out`(index: Int) throws {
    var nodes = try JSON(ShippedFiles.text("node-red/flows.json")).list
    let (word, damage) = Self.damages[index]
    damage(&nodes)
    #expect(NodeREDRule.problems(of: .list(nodes)).contains { $0.contains(word) }, "\(word)")
  }
}
