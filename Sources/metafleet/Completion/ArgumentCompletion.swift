import FleetModel

/// Arguments of a verb as `key=value`, from its declaration.
///
/// `confirm` is not completed: it is there so that somebody thinks.
struct ArgumentCompletion: Sendable {
  let verb: VerbDefinition
  /// Arguments that were typed already.
  let given: [String]

  /// Whole words that may stand for the unfinished one: with values where these can be listed.
  func candidates(for word: String) -> [String] {
    let present = Set(given.map { String($0.prefix { $0 != "=" }) })
    return parameters.filter { !present.contains($0.key) && $0.key != "confirm" }.flatMap { key, type in
      let values = Self.values(of: type, named: key)
      return values.isEmpty ? ["\(key)="] : values.map { "\(key)=\($0)" }
    }
  }

  /// What may be given, with what has been: the word of a fork and the name of a stream decide.
  private var parameters: [(key: String, type: ParameterType)] {
    var all = verb.parameters
    if let fork = verb.fork {
      let word = value(of: fork.key)
      all += fork.branches.first { $0.word == word }?.parameters ?? []
    }
    if verb.furtherKeys != nil, verb.fork == nil,
      let stream = value(of: "stream") ?? value(of: "from"),
      let definition = StreamCatalogue.find(stream)?.stream
    {
      all += definition.parameters.filter { parameter in !all.contains { $0.name == parameter.name } }
    }
    return Self.flat(all)
  }

  private func value(of key: String) -> String? {
    given.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
  }

  /// Members of objects as `a.b`.
  private static func flat(_ parameters: [Parameter], below prefix: String = "") -> [(String, ParameterType)]
  {
    parameters.flatMap { parameter -> [(String, ParameterType)] in
      let key = prefix + parameter.name
      switch parameter.type {
      case .object(let members): return flat(members, below: key + ".")
      case .either(let forms):
        return forms.flatMap { flat([Parameter(parameter.name, $0, "")], below: prefix) }
      default: return [(key, parameter.type)]
      }
    }
  }

  /// Values that can be listed; of a range both ends.
  private static func values(of type: ParameterType, named key: String) -> [String] {
    switch type {
    case .boolean: ["true", "false"]
    case .choice(let words): words
    case .offered(let numbers): numbers.map(ParameterType.plain)
    case .integer(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
    case .number(let range): [range.lowerBound, range.upperBound].map(ParameterType.plain)
    case .duration: ["1s", "60s", "1h"]
    case .scheduleRule: ["60s", "15m", "1h", "never"]
    case .either(let forms): forms.flatMap { values(of: $0, named: key) }
    case .worded(_, let type): values(of: type, named: key)
    case .text where key == "stream" || key == "from": StreamCatalogue.all.map(\.name)
    default: []
    }
  }
}
