import FleetModel

/// The answer to a `read`, without what no sensor can measure. Pure.
struct ReadAnswer: Sendable {
  /// The stream of the catalogue whose fields were read; nil where it is none.
  let stream: String?
  /// The answer, with the names of what was left out of it in `impossible`.
  private(set) var data: JSONObject
  /// What was left out.
  private(set) var impossible: [ImpossibleValue] = []
  /// Whether nothing of what was asked for is left.
  private(set) var isNothingLeft = false

  /// Looks `data` through, the answer to a read of `what`.
  init(_ data: JSONObject, to what: String, _ selectors: JSONObject) {
    self.data = data
    let name = Self.stream(what, selectors, data)
    let fields = (StreamCatalogue.find(name)?.stream.fields ?? []).filter { data[$0.name] != nil }
    stream = fields.isEmpty ? nil : name
    for field in fields {
      guard let value = data[field.name]?.number else { continue }
      let isPossible = field.possible?.contains(value) ?? value.isFinite
      if isPossible { continue }
      impossible.append(ImpossibleValue(field: field.name, value: value))
      self.data[field.name] = nil
    }
    isNothingLeft = !impossible.isEmpty && impossible.count == fields.count
    if !impossible.isEmpty { self.data["impossible"] = .array(impossible.map { .string($0.field) }) }
  }

  /// What the sender hears.
  func outcome(by evidence: Evidence?) -> CommandOutcome {
    guard isNothingLeft else { return .done(evidence: evidence, data: data) }
    let values = impossible.map { "\($0.field) \(ParameterType.plain($0.value))" }.joined(separator: ", ")
    return .failed(
      CommandFailure(
        .boardError, "the board answered \(values), which is outside what the sensor can measure"))
  }

  private static func stream(_ what: String, _ selectors: JSONObject, _ data: JSONObject) -> String {
    switch what {
    case "temperature": return "temperature-\(data["source"]?.string ?? "die")"
    case "gpio":
      let kind = selectors["kind"]?.string.flatMap(PinStreams.Kind.init(rawValue:)) ?? .digital
      return PinStreams.name(Int(clamping: data["pin"]?.integer ?? 0), kind)
    default: return what
    }
  }
}
