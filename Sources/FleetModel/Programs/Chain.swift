/// Processors one behind the other, under one name (MQTT contract 3.8).
public struct Chain: Hashable, Sendable {
  /// Where its samples go.
  public enum Output: String, Sendable, CaseIterable { case stream, log }

  /// A stream, one of its components, or another chain.
  public var source: String
  /// The configuration keys of what it computes with, as given.
  public var configuration: JSONObject
  /// What the gateway does with the samples that come: `StreamDefinition.laneParameters`.
  public var lanes: JSONObject
  /// At least one.
  public var steps: [ChainStep]
  /// How often a source is read that is only readable.
  public var every: Duration?
  /// Empty for a chain that others build on.
  public var outputs: Set<Output>

  /// Computes `steps` of `source`.
  public init(
    from source: String, _ steps: [ChainStep], configuration: JSONObject = [:], every: Duration? = nil,
    outputs: Set<Output> = [.stream], lanes: JSONObject = ["record": true]
  ) {
    (self.source, self.steps, self.configuration) = (source, steps, configuration)
    (self.every, self.outputs, self.lanes) = (every, outputs, lanes)
  }

  /// The keys that are the chain's own; others configure its source.
  static let parameters = [
    Parameter("from", .text(1...64), required: true, "a stream, a component of one, or another chain"),
    Parameter("chain", .anything("a list of steps"), required: true, "the steps, first to last"),
    Parameter("every", .duration(atLeast: .milliseconds(100)), "how often a readable source is read"),
    Parameter("to", .list(of: .choice(Output.allCases.map(\.rawValue)), 0...2), "where samples go; stream"),
  ]

  /// Reads a chain without its name. Throws `invalid` and what is wrong.
  public static func parse(_ arguments: JSONObject) throws(CommandFailure) -> Chain {
    let own = Set(parameters.map(\.name))
    let keys = try ArgumentValidation.validate(
      JSONObject(arguments.members.filter { own.contains($0.key) }.map { ($0.key, $0.value) }),
      against: parameters, of: "a chain"
    ).values
    guard let list = keys["chain"]?.array, (1...28).contains(list.count) else {
      throw .invalid("chain must be a list of 1 to 28 steps")
    }
    var steps: [ChainStep] = []
    for step in list { steps.append(try ChainStepDefinition.parse(step)) }
    if let place = steps.dropLast().firstIndex(where: { $0.type == "buffer" }) {
      throw .invalid("buffer has no output, so it must be the last step; here step \(place + 1) follows it")
    }
    let outputs = keys["to"]?.array.map { Set($0.compactMap(\.string).compactMap(Output.init)) }
    var chain = Chain(
      from: keys["from"]?.string ?? "", steps, every: keys["every"]?.string.flatMap(DurationText.parse),
      outputs: outputs ?? [.stream])
    try chain.configure(
      JSONObject(arguments.members.filter { !own.contains($0.key) }.map { ($0.key, $0.value) }))
    return chain
  }
}
