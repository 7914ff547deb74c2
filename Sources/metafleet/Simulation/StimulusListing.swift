import FleetModel
import Simulator

/// What can be done to simulated boards, as objects beside those of verbs: the page makes forms of them. Pure.
enum StimulusListing {
  /// For whom they are, in the place of `board` and `gateway`.
  static let addressee = "simulator"

  /// All of them, each with whether anything may be sent over HTTP.
  static func objects(over rule: HTTPCommandRule) -> [JSONValue] {
    StimulusVerb.allCases.map { .object(object($0, isAllowed: rule.allowsAny)) }
  }

  private static func object(_ verb: StimulusVerb, isAllowed: Bool) -> JSONObject {
    var object: JSONObject = [
      "verb": .string(verb.rawValue), "for": .string(addressee), "summary": .string(verb.meaning),
    ]
    object["stream"] = verb.stream.map { .string($0) }
    object["schema"] = ["$defs": ["args": .object(JSONSchema.members(verb.parameters, isNullable: false))]]
    object["http"] = .bool(isAllowed)
    return object
  }
}
