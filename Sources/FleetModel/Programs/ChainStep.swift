/// One computation of a chain, as it was declared: its type and its parameters, checked but for their unit.
public struct ChainStep: Hashable, Sendable {
  /// Type by the contract's name (MQTT contract 3.8).
  public var type: String
  /// Parameters under their names without the unit.
  public var parameters: JSONObject
  /// The suffix that a parameter in the unit of the samples was written with; empty for none. Missing where the value
  /// was given without a name.
  public var units: [String: String]

  /// Computes with `parameters`.
  public init(_ type: String, _ parameters: JSONObject = [:], units: [String: String] = [:]) {
    (self.type, self.parameters, self.units) = (type, parameters, units)
  }
}
