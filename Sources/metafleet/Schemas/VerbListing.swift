import FleetModel

/// Verbs in a table, or as objects for programs.
enum VerbListing {
  /// One line per verb: what it needs and what it does.
  static func text(_ verbs: [VerbDefinition], of addressee: VerbDefinition.Addressee) -> String {
    var table = Table([
      Table.Column(addressee == .board ? "BOARD, GROUP" : addressee.word.uppercased()), .init("NEEDS"),
      .init(""),
    ])
    table.rows = verbs.map { verb in
      let needed = verb.parameters.filter(\.isRequired).map(\.name).joined(separator: " ")
      return [Table.Cell(verb.name), Table.Cell(needed), Table.Cell(verb.summary)]
    }
    return table.lines(width: Console.width).joined(separator: "\n") + "\n"
  }

  /// All verbs, those for boards first, each by name.
  static var sorted: [VerbDefinition] {
    VerbDefinition.Addressee.allCases.flatMap { addressee in
      VerbCatalogue.all.filter { $0.addressee == addressee }.sorted { $0.name < $1.name }
    }
  }

  /// All verbs, each with whether it may be sent over HTTP: whoever asks there need not offer what is refused. Where
  /// boards are simulated, what can be done to them stands behind (fault F298).
  static func objects(over rule: HTTPCommandRule, areSimulated: Bool) -> JSONValue {
    let verbs = sorted.map { verb in
      var object = object(verb)
      object["http"] = .bool(rule.allows(verb.name))
      return JSONValue.object(object)
    }
    let stimuli = areSimulated ? StimulusListing.objects(over: rule) : []
    return .array(verbs + stimuli)
  }

  /// A verb with the schema of its request.
  static func object(_ verb: VerbDefinition) -> JSONObject {
    var object: JSONObject = [
      "verb": .string(verb.name), "for": .string(verb.addressee.word),
      "summary": .string(verb.summary),
      "evidence": .array(verb.answer.evidence.map { .string($0.rawValue) }),
      "codes": .array((verb.answer.failures + VerbAnswer.common).map { .string($0.rawValue) }),
    ]
    object["example"] = .object(verb.example)
    object["schema"] = .object(VerbSchema.request(verb))
    return object
  }
}
