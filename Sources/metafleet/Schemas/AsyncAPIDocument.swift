import FleetModel

/// The MQTT API as AsyncAPI 3.0.0, from the reference of topics. Payloads are the JSON Schemas beside it, which use
/// keywords that mean the same in draft 7, AsyncAPI's own, and in 2020-12.
enum AsyncAPIDocument {
  static var document: JSONObject {
    [
      "asyncapi": "3.0.0",
      "info": [
        "title": "MetaFleet", "version": "1",
        "description": .string(
          "What gateways publish and hear over MQTT. Operations are the gateway's: it sends documents, samples and events, and "
            + "receives commands. A request may carry an MQTT 5 Response Topic; replies then go there as well."
        ),
        "license": ["name": "Apache-2.0"],
      ],
      "defaultContentType": "application/json",
      "servers": [
        "broker": [
          "host": "localhost:1883", "protocol": "mqtt", "protocolVersion": "5",
          "description": "`mqtt` in the gateway's file; MQTT 3.1.1 does, too",
        ]
      ],
      "channels": object(TopicReference.all.map { ($0.name, channel($0)) }),
      "operations": object(TopicReference.all.flatMap(operations)),
      "components": [
        "parameters": object(TopicReference.parameters.map { ($0.name, parameter($0.summary, $0.standard)) }),
        "messages": object(VerbCatalogue.all.map { (requestName($0), request($0)) }),
      ],
    ]
  }

  private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(members))
  }

  private static func parameter(
    _ summary: String, _ standard: String?, _ words: [String]? = nil
  ) -> JSONValue {
    var parameter: JSONObject = ["description": .string(summary)]
    parameter["default"] = standard.map { .string($0) }
    parameter["enum"] = words.map { .array($0.map { .string($0) }) }
    return .object(parameter)
  }

  private static func channel(_ topic: TopicReference) -> JSONValue {
    let parameters = topic.parameters.map { name -> (String, JSONValue) in
      guard let words = topic.words[name] else { return (name, reference("#/components/parameters/\(name)")) }
      let declared = TopicReference.parameters.first { $0.name == name }
      return (name, parameter(declared?.summary ?? "", declared?.standard, words))
    }
    return [
      "address": .string(topic.topic), "description": .string(topic.summary),
      "parameters": object(parameters), "messages": object(messages(topic)),
    ]
  }

  private static func reference(_ place: String) -> JSONValue { ["$ref": .string(place)] }

  private static func schema(_ name: String) -> JSONValue { reference("../schemas/\(name).json") }

  private static func requestName(_ verb: VerbDefinition) -> String {
    "\(verb.addressee.word).cmd.\(verb.name)"
  }

  /// Those of commands and replies are named after their verb.
  private static func messages(_ topic: TopicReference) -> [(String, JSONValue)] {
    let last = topic.name.split(separator: ".").last.map(String.init) ?? topic.name
    switch topic.payload {
    case .document(let name): return [(last, ["payload": schema(name)])]
    case .cbor(let name): return [(last, ["contentType": "application/cbor", "payload": schema(name)])]
    case .text(let summary, let pattern):
      let payload: JSONObject = ["type": "string", "pattern": .string(pattern)]
      return [
        (last, ["contentType": "text/plain", "summary": .string(summary), "payload": .object(payload)])
      ]
    case .requests(let addressee):
      return verbs(addressee).map { ($0.name, reference("#/components/messages/\(requestName($0))")) }
    case .replies(let addressee): return verbs(addressee).map { ($0.name, reply($0)) } + [refusal]
    case .jobReplies: return [(last, ["payload": schema("reply"), "correlationId": identifier])]
    }
  }

  private static func verbs(_ addressee: VerbDefinition.Addressee) -> [VerbDefinition] {
    VerbCatalogue.all.filter { $0.isTaken(by: addressee) }.sorted { $0.name < $1.name }
  }

  /// What a request and its replies have in common.
  private static let identifier: JSONValue = ["location": "$message.payload#/id"]

  private static func request(_ verb: VerbDefinition) -> JSONValue {
    [
      "summary": .string(verb.summary),
      "payload": schema("\(verb.addressee.word)/\(verb.name)"), "correlationId": identifier,
    ]
  }

  private static func reply(_ verb: VerbDefinition) -> JSONValue {
    let data = reference("../schemas/\(verb.addressee.word)/\(verb.name).json#/$defs/data")
    return [
      "payload": [
        "allOf": [
          schema("reply"), ["properties": ["verb": ["const": .string(verb.name)]]],
          SchemaRule.when("stage", is: "done", ["properties": ["data": data]]),
        ]
      ],
      "correlationId": identifier,
    ]
  }

  private static let refusal: (String, JSONValue) = (
    "refusal",
    [
      "summary": "of a verb that there is not", "correlationId": identifier,
      "payload": ["allOf": [schema("reply"), ["properties": ["stage": ["const": "failed"]]]]],
    ]
  )

  private static func operations(_ topic: TopicReference) -> [(String, JSONValue)] {
    let channel = reference("#/channels/\(topic.name)")
    let bindings: JSONValue = [
      "mqtt": [
        "qos": .integer(Int64(topic.qualityOfService)), "retain": .bool(topic.isRetained),
        "bindingVersion": "0.2.0",
      ]
    ]
    // Each verb is an operation of its own, whose answer is known; it is also what speaks on the channel of replies.
    guard case .requests(let addressee) = topic.payload else {
      let action: JSONValue = topic.direction == .published ? "send" : "receive"
      return [(topic.name, ["action": action, "channel": channel, "bindings": bindings])]
    }
    let answers = topic.name.replacing(".cmd", with: ".reply")
    return verbs(addressee).map { verb in
      let reply = topic.name.hasPrefix("group") ? "reply" : verb.name
      return (
        "\(topic.name).\(verb.name)",
        [
          "action": "receive", "channel": channel, "summary": .string(verb.summary),
          "messages": [reference("#/channels/\(topic.name)/messages/\(verb.name)")],
          "reply": [
            "channel": reference("#/channels/\(answers)"),
            "messages": [reference("#/channels/\(answers)/messages/\(reply)")],
          ],
          "bindings": bindings,
        ]
      )
    }
  }
}

extension VerbDefinition.Addressee {
  /// As folders of schemas and topics have it.
  var word: String { "\(self)" }
}
