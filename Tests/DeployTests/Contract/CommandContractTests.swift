import FleetModel
import Testing

@testable import Dialects
@testable import metafleet

/// The catalogue does what the contract says, verb by verb.
@Suite struct CommandContractTests {
  private static let contract = CommandContract.shipped

  @Test func `the contract and the catalogue know the same verbs`() {
    let board = Self.contract.verbs(in: CommandContract.boardSections)
    #expect(board.keys.sorted() == VerbCatalogue.names(for: .board))
    let gateway = Self.contract.verbs(in: ["4.1"])
    #expect(gateway.keys.sorted() == VerbCatalogue.names(for: .gateway))
    let group = Self.contract.verbs(in: CommandContract.boardSections + ["4.3"])
    #expect(group.keys.sorted() == VerbCatalogue.names(for: .group))
  }

  @Test func `every argument of the catalogue stands in the verb's section`() {
    let sections = Self.contract.verbs(in: CommandContract.boardSections + ["4.1", "4.3"])
    for verb in VerbCatalogue.all {
      // Some of what several verbs take is said once: `nearest` in 3.1, `slots` in 3.7.
      let text = [sections[verb.name] ?? "", "3.1", "3.7"].compactMap { Self.contract.sections[$0] }.joined()
      let further = verb.fork?.branches.flatMap(\.parameters) ?? []
      for parameter in verb.parameters + further where parameter.name != "confirm" {
        #expect(text.contains("`\(parameter.name)`"), "\(verb.name) \(parameter.name)")
      }
    }
  }

  @Test func `the tables and the catalogue require the same arguments, and no table has another`() {
    var judged: Set<String> = []
    for number in CommandContract.boardSections + ["4.1", "4.3"] {
      for row in Self.contract.rows(of: number, under: "verb") {
        let names = row[0].matches(of: /`([a-z0-9-]+)`/).map { String($0.1) }
        for name in names {
          guard let verb = VerbCatalogue.all.first(where: { $0.name == name }) else { continue }
          let arguments = Self.arguments(of: name, in: row[1])
          guard !arguments.isEmpty else { continue }
          judged.insert(name)
          let known = Set((verb.parameters + (verb.fork?.branches.flatMap(\.parameters) ?? [])).map(\.name))
          #expect(known.isSuperset(of: arguments.map(\.name)), "\(name)")
          let required = Set(verb.parameters.filter(\.isRequired).map(\.name))
          #expect(required == Set(arguments.filter(\.isRequired).map(\.name)), "\(name)")
        }
      }
    }
    #expect(judged.count > 35)
  }

  /// What a table says elsewhere than in the row.
  private static func arguments(of verb: String, in cell: String) -> [(name: String, isRequired: Bool)] {
    switch verb {
    // The paragraph below the table: `slot` instead of `name`.
    case "timer-remove", "event-remove", "processor-remove":
      return CommandContract.arguments(in: cell).map { ($0.name, false) }
    // "As spi-read without length".
    case "spi-write": return CommandContract.arguments(in: cell) + [("pins", true)]
    // Paragraphs of their own.
    case "processor-create", "settings", "sensor": return []
    default: return CommandContract.arguments(in: cell)
    }
  }

  @Test func `what can be read is what the contract lists`() throws {
    let rows = Self.contract.rows(of: "3.3", under: "what")
    let listed = rows.flatMap { $0[0].matches(of: /`([a-z-]+)`/).map { String($0.1) } }
    let read = try #require(VerbCatalogue.find("read", for: .board)?.fork)
    #expect(listed.sorted() == read.branches.map(\.word).sorted())
    for row in rows {
      for name in row[0].matches(of: /`([a-z-]+)`/).map({ String($0.1) }) {
        let branch = read.branches.first { $0.word == name }
        let listed = Set(CommandContract.arguments(in: row[1]).map(\.name))
        let known = (branch?.parameters ?? []).map(\.name)
        #expect(listed.subtracting(known).isEmpty, "\(name)")
      }
    }
  }

  @Test func `there is an example of every verb`() {
    #expect(Set(Self.contract.examples.map(\.verb)) == Set(VerbCatalogue.all.map(\.name)))
  }

  @Test(arguments: contract.examples)
  func `the request of an example means something`(_ example: CommandContract.Example) throws {
    let request = try #require(Self.request(example))
    let reply = try example.reply.map { try #require(Self.json($0)?.object) }
    do throws(CommandFailure) {
      _ = try request.interpret()
      #expect(reply?["code"] != "invalid")
    } catch {
      #expect(reply?["code"]?.string == error.code.rawValue, "\(error)")
    }
  }

  @Test(arguments: contract.examples)
  func `the schema allows the request of an example`(_ example: CommandContract.Example) throws {
    let verb = try #require(VerbCatalogue.find(example.verb, for: example.addressee))
    guard let request = Self.json(example.request) else { return }
    let problems = SchemaCheck(VerbSchema.request(verb)).problems(of: request)
    // A value off the list is refused by the gateway; the schema only shows the list.
    #expect(problems == [])
  }

  @Test(arguments: contract.examples.filter { $0.reply != nil })
  func `an example's reply holds what we declare`(_ example: CommandContract.Example) throws {
    let verb = try #require(VerbCatalogue.find(example.verb, for: example.addressee))
    let shown = try #require(Self.json(example.reply ?? "")?.object)
    // Examples leave out what all replies hold.
    var whole: JSONObject = [
      "id": "a", "stage": "done", "ok": true, "verb": .string(example.verb), "gw": "gw-3f-east", "ts_ms": 1,
      "took_ms": 1,
    ]
    let addressee = example.section == "4.2" ? "group" : "\(example.addressee)"
    whole[addressee] = addressee == "board" ? "e5a1c2d3f4b6" : "gw-3f-east"
    for (key, value) in shown.members { whole[key] = value }
    #expect(SchemaCheck(MessageSchema.reply).problems(of: .object(whole)) == [])
    guard whole["stage"] == "done" else { return }
    let evidence = whole["evidence"]?.string.flatMap(Evidence.init)
    #expect(evidence.map(verb.answer.evidence.contains) ?? verb.answer.evidence.isEmpty)
    let data = VerbSchema.request(verb)["$defs"]?.object?["data"]?.object ?? [:]
    #expect(SchemaCheck(data).problems(of: shown["data"] ?? [:]) == [])
  }

  /// Read as the daemon reads it.
  private static func request(_ example: CommandContract.Example) -> CommandRequest? {
    let board = BoardID("e5a1c2d3f4b6")
    let target: CommandTarget? =
      switch example.section {
      case "4.1": .gateway("gw-3f-east")
      case "4.2": .group("east")
      case "4.3": .group("pumps")
      default: board.map { .board($0) }
      }
    guard let target else { return nil }
    let message = MQTTMessage(topic: "a", payload: Array(example.request.utf8))
    let parsed = CommandParsing.parse(
      message, target: target, verb: example.verb, arrived: Timestamp(milliseconds: 1_763_671_234_567)
    ) { "id" }
    if case .request(let request) = parsed { return request }
    return nil
  }

  private static func json(_ text: String) -> JSONValue? { try? StrictJSON.parse(Array(text.utf8)) }
}
