import FleetModel
import Foundation
import Support
import Testing

@Suite struct ShownCommandRuleTests {
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every document of the repository, by its path.
  static var documents: [String: String] {
    var found = ["README.md": text("README.md")]
    for folder in [".github", "Tests", "dashboards", "deploy"] {
      let place = root.appending(path: folder).path(percentEncoded: false)
      let names = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
      for name in names where name.hasSuffix(".md") { found["\(folder)/\(name)"] = text("\(folder)/\(name)") }
    }
    return found
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
  }

  @Test func `every command line of ours that a document shows is one`() async throws {
    let shown = Self.documents.mapValues { text in
      ShownCommand.all(in: text).filter { $0.program == "metafleet" }
    }
    #expect(shown.values.joined().count > 100)
    var help = ["": try await BuiltProgram.run(["--help"]).output]
    for name in ShownCommandRule.subcommands(in: help[""] ?? "") {
      let text = try await BuiltProgram.run([name, "--help"]).output
      help[name] = text
      for part in ShownCommandRule.subcommands(in: text) {
        help["\(name) \(part)"] = try await BuiltProgram.run([name, part, "--help"]).output
      }
    }
    let rule = ShownCommandRule(help: help, verbs: Set(VerbCatalogue.all.map(\.name)))
    for (document, commands) in shown.sorted(by: { $0.key < $1.key }) {
      #expect(commands.compactMap(rule.problem) == [], "\(document)")
    }
  }

  private static let rule = ShownCommandRule(
    help: [
      "":
        "SUBCOMMANDS:\n  boards                  Lists\n                          more.\n  send\n  recovery-helper  Helps\n  config    Checks\n  sessions  Lists\n",
      "boards": "OPTIONS:\n  --json   One.\n  --enabled/--disabled  Whether.\n",
      "send": "OPTIONS:\n  --mode <mode>  now.\n",
      "config": "SUBCOMMANDS:\n  check   Names\n",
      "config check": "OPTIONS:\n  --config <file>  The file.\n",
      "sessions": "SUBCOMMANDS:\n  list (default)  Lists\n  delete  Deletes\n",
      "sessions list": "OPTIONS:\n  --since <time>  Since.\n", "sessions delete": "OPTIONS:\n  --yes  Yes.\n",
    ], verbs: ["led"])

  @Test(arguments: [
    ["metafleet", "boards", "--json"], ["metafleet", "boards", "--disabled"], ["metafleet", "--help"],
    ["metafleet", "send", "Pump 3", "led", "color=green", "--mode", "queue"], ["metafleet"],
    ["metafleet", "config", "check", "--config", "a.yaml"], ["metafleet", "recovery-helper"],
    ["swift", "nonsense", "--wrong"], ["metafleet", "sessions", "Pump 3", "--since", "7d"],
    ["metafleet", "sessions", "delete", "Pump 3", "--yes"], ["metafleet", "sessions"],
  ])
  func `a command line that is one passes`(words: [String]) {
    #expect(Self.rule.problem(of: ShownCommand(words)) == nil)
  }

  @Test(arguments: [
    (["metafleet", "doctor"], "metafleet doctor: there is no sub-command doctor"),
    (["metafleet", "more."], "metafleet more.: there is no sub-command more."),
    (["metafleet", "config", "chek"], "metafleet config chek: config has no chek"),
    (["metafleet", "boards", "--jso"], "metafleet boards --jso: boards has no option --jso"),
    (
      ["metafleet", "config", "check", "--json"],
      "metafleet config check --json: config check has no option --json"
    ),
    (
      ["metafleet", "sessions", "Pump 3", "--yes"],
      "metafleet sessions Pump 3 --yes: sessions list has no option --yes"
    ),
    (["metafleet", "send", "all", "leed"], "metafleet send all leed: there is no verb leed"),
  ])
  func `one that is none is found`(words: [String], problem: String) {
    #expect(Self.rule.problem(of: ShownCommand(words)) == problem)
  }
}
