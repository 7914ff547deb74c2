import FleetModel
import Foundation
import Testing

@testable import metafleet

/// The files that are made from the catalogue.
@Suite struct ContractFilesTests {
  private static let deploy = CommandContract.repository.appending(path: "deploy")

  @Test func `they are what the catalogue makes of them; metafleet verbs --export deploy makes them anew`() {
    for (path, text) in ContractFiles.all {
      let present = try? String(contentsOf: Self.deploy.appending(path: path), encoding: .utf8)
      #expect(present == text, "\(path)")
    }
  }

  @Test func `there is none that nobody makes any more`() throws {
    let made = Set(ContractFiles.all.map(\.path))
    for folder in ["schemas", "schemas/board", "schemas/gateway", "docs/verbs"] {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: Self.deploy.appending(path: folder).path())
      for name in names where name.contains(".") {
        #expect(made.contains("\(folder)/\(name)"), "\(folder)/\(name)")
      }
    }
  }

  @Test(arguments: VerbCatalogue.all.map(\.name))
  func `the example of a verb is one that its schema allows and its gateway takes`(_ name: String) throws {
    let verb = try #require(VerbCatalogue.all.first { $0.name == name })
    #expect(throws: Never.self) { try verb.interpret(verb.example) }
    let request: JSONValue = ["args": .object(verb.example)]
    #expect(SchemaCheck(VerbSchema.request(verb)).problems(of: request) == [])
    #expect(
      try CommandArguments.parse(Self.words(VerbExample.command(verb))) == verb.example,
      "what the command line shows is the example")
  }

  /// The arguments of a command as a shell splits them.
  private static func words(_ command: String) -> [String] {
    command.matches(of: /(?: |^)(?:'([^']*)'|([^ '"]+))/).map { String($0.1 ?? $0.2 ?? "") }.filter {
      $0.contains("=")
    }
  }

  @Test(arguments: VerbCatalogue.all.map(\.name))
  func `the schema refuses what the gateway refuses`(_ name: String) throws {
    let verb = try #require(VerbCatalogue.all.first { $0.name == name })
    let check = SchemaCheck(VerbSchema.request(verb))
    var odd: [JSONValue] = [["id": "a b"], ["args": []], ["mode": "later"], ["args": ["__proto__": 1]], 5]
    if verb.furtherKeys != nil, verb.fork == nil { odd.remove(at: 3) }
    for parameter in verb.parameters where parameter.isRequired {
      odd.append(["args": .object(verb.example.filter { $0 != parameter.name })])
    }
    for request in odd { #expect(check.problems(of: request) != [], "\(request)") }
  }
}

extension JSONObject {
  fileprivate func filter(_ isWanted: (String) -> Bool) -> JSONObject {
    JSONObject(members.filter { isWanted($0.key) })
  }
}
