import FleetModel

/// Whether a final answer holds what the catalogue declares of its verb: documentation and schemas come from there.
enum DeclaredReply {
  /// What is undeclared or missing in the answer `text`; empty when nothing is, or when it was not done.
  static func problems(in text: String) -> [String] {
    guard let reply = try? StrictJSON.parse(Array(text.utf8), limits: .trusting).object,
      reply["stage"] == "done",
      let name = reply["verb"]?.string
    else { return [] }
    let addressee: VerbDefinition.Addressee =
      reply["gateway"] != nil ? .gateway : reply["group"] != nil ? .group : .board
    guard let verb = VerbCatalogue.find(name, for: addressee) else { return ["there is no verb \(name)"] }
    let keys = reply["data"]?.object?.keys ?? []
    var problems = verb.answer.results.filter { $0.isRequired && !keys.contains($0.name) }.map {
      "\(name) answers without \($0.name)"
    }
    if verb.answer.furtherResults == nil {
      let known = Set(verb.answer.results.map(\.name))
      problems += keys.filter { !known.contains($0) }.map { "\(name) answers \($0), which is not declared" }
    }
    let evidence = reply["evidence"]?.string.flatMap(Evidence.init)
    // What is told from memory proves nothing about the board (MQTT contract 3.7).
    let isRemembered = reply["data"]?.object?["source"] == "memory"
    if !isRemembered, !(evidence.map(verb.answer.evidence.contains) ?? verb.answer.evidence.isEmpty) {
      problems.append("\(name) is proved by \(evidence?.rawValue ?? "nothing"), which is not declared")
    }
    return problems
  }
}
