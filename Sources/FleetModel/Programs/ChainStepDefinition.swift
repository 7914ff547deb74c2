/// A type of step: what it takes (MQTT contract 3.8). Validation and documentation come from this declaration.
public struct ChainStepDefinition: Sendable {
  /// The contract's name.
  public let name: String
  /// One sentence for people.
  public let summary: String
  /// The parameters, the main one first.
  public let parameters: [Parameter]
  /// Names of those that carry the unit of the samples behind their name.
  public let namesInUnit: Set<String>

  init(_ name: String, _ summary: String, _ parameters: [Parameter] = [], inUnit: Set<String> = []) {
    (self.name, self.summary, self.parameters, namesInUnit) = (name, summary, parameters, inUnit)
  }

  /// Suffixes of units (MQTT contract 2.5).
  public static let units = ["g", "dps", "ut", "pa", "m", "c", "pct", "lx", "mv", "deg"]

  /// Reads a step: `"type"`, `{"type": value}` or `{"type": {parameters}}`. Throws `invalid` and what is wrong.
  public static func parse(_ value: JSONValue) throws(CommandFailure) -> ChainStep {
    if let name = value.string { return try find(name).step([:]) }
    guard let object = value.object, object.count == 1, let (name, given) = object.members.first else {
      throw .invalid("a step is a type, or an object with a type as its only key")
    }
    let definition = try find(name)
    if let parameters = given.object { return try definition.step(parameters) }
    guard let main = definition.parameters.first else { throw .invalid("\(name) takes no parameters") }
    var step = try definition.step([main.name: given])
    step.units = [:]
    return step
  }

  private static func find(_ name: String) throws(CommandFailure) -> ChainStepDefinition {
    guard let definition = all.first(where: { $0.name == name }) else {
      throw .invalid(Suggestion.missing("processor", name, among: all.map(\.name)))
    }
    return definition
  }

  private func step(_ given: JSONObject) throws(CommandFailure) -> ChainStep {
    var plain = JSONObject()
    var units: [String: String] = [:]
    for (key, value) in given.members {
      let (name, unit) = split(key)
      guard plain[name] == nil else { throw .invalid("\(self.name) takes \(name) once") }
      plain[name] = value
      if namesInUnit.contains(name) { units[name] = unit }
    }
    let values = try ArgumentValidation.validate(plain, against: parameters, of: self.name).values
    return ChainStep(name, values, units: units)
  }

  /// `boundary_g` is `boundary` in g.
  private func split(_ key: String) -> (name: String, unit: String) {
    for name in namesInUnit where key.hasPrefix(name + "_") {
      let unit = String(key.dropFirst(name.count + 1))
      if Self.units.contains(unit) { return (name, unit) }
    }
    return (key, "")
  }
}
