import ArgumentParser
import FleetModel
import Glibc

/// `verbs`: what can be asked of boards, groups and gateways.
struct Verbs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the commands that boards, groups and gateways take; explains one.",
    discussion: """
      Examples:
        metafleet verbs
        metafleet verbs led
        metafleet verbs read --schema > read.json
      """)

  @Argument(
    help: "The verb to explain.", completion: .list(VerbCatalogue.all.map(\.name).sorted()))
  var name: String?
  @Flag(help: "One JSON object per verb.") var json = false
  @Flag(help: "The JSON Schema of the verb's request.") var schema = false
  @Option(
    help: ArgumentHelp(
      "Write the schemas and the documentation of all verbs below a folder, over those of another version.",
      valueName: "folder"))
  var export: String?

  func validate() throws {
    if schema, name == nil { throw ValidationError("--schema needs the name of a verb") }
  }

  func run() throws {
    if let export { return try write(below: export) }
    guard let name else { return try list() }
    let verbs = VerbCatalogue.all.filter { $0.name == name }
    guard !verbs.isEmpty else {
      throw CommandLineFailure(
        .usage, Suggestion.missing("verb", name, among: Set(VerbCatalogue.all.map(\.name)).sorted()))
    }
    for verb in verbs {
      if schema {
        try Console.write(IndentedJSON.of(.object(VerbSchema.request(verb))) + "\n")
      } else if json {
        try Console.line(JSONText.of(.object(VerbListing.object(verb))))
      } else {
        try Console.write(VerbHelp.page(of: verb).joined(separator: "\n") + "\n")
      }
    }
  }

  private func list() throws {
    for addressee in VerbDefinition.Addressee.allCases {
      let verbs = VerbCatalogue.all.filter { $0.addressee == addressee }.sorted { $0.name < $1.name }
      if json {
        for verb in verbs { try Console.line(JSONText.of(.object(VerbListing.object(verb)))) }
      } else {
        try Console.write(VerbListing.text(verbs, of: addressee))
      }
    }
  }

  private func write(below folder: String) throws {
    for (path, text) in ContractFiles.all {
      var ancestors = folder
      for part in path.split(separator: "/").dropLast() {
        ancestors += "/\(part)"
        mkdir(ancestors, 0o755)
      }
      let file = try ResultFile(path: "\(folder)/\(path)", isOverwriting: true)
      try file.write(Array(text.utf8))
      try file.close()
    }
  }
}
