import FleetModel
import Foundation
import Testing

@testable import Dialects
@testable import metafleet

/// The reference of topics, and what is made from it.
@Suite struct TopicReferenceTests {
  private static let board = BoardID(SimulationPlan.address(of: 7))
  private static let topics = TopicTree(base: "a/b", gateway: "gw-1")
  private static let now = Timestamp(milliseconds: 1_763_671_234_000)

  /// The topic of the reference that a topic of the broker is.
  private static func reference(of topic: String) -> TopicReference? {
    TopicReference.all.first { reference in
      let pattern = reference.topic.replacing("{base}", with: "a/b").replacing(
        /\{[a-z]+\}/, with: "[^/]+")
      return (try? Regex(pattern)).map { topic.wholeMatch(of: $0) != nil } ?? false
    }
  }

  private static let published: [OutgoingMessage] = {
    let dialect = PlainDialect(topics: topics, encodings: SampleEncodings(Set(SampleEncoding.allCases)))
    var random = SeededGenerator(seed: 1)
    var batch = SampleBatch(
      board: board, stream: "pressure", fields: [.init("pressure_pa", "Pa", decimals: 2)],
      session: ULID(at: now, using: &random), boot: 1, sequence: 0, gapBefore: 0,
      clock: ClockQuality(source: .arrival, errorMilliseconds: 100), configuration: nil, origin: .stream)
    batch.times = [now]
    batch.values = [101_325]
    var state = BoardState(board: board, link: .streaming, time: now)
    state.reason = StatedReason(.other, "x")
    let reply = CommandReply(
      id: "1", target: .board(board), verb: "led",
      stage: .final(.done(evidence: .readback, data: ["playing": true]), took: .zero), time: now)
    var alarm = Alarm(
      .init(.batteryLow, .board(board)), since: now, sentence: "x", name: "Pump 3", reason: .silent)
    alarm.acknowledgement = .init(at: now, by: "anna")
    let rollout = RolloutReport(
      id: "fw-1", group: "pumps", version: "1.7.3", phase: .aborted, isPaused: false, reason: "x",
      counts: [.total: 1, .failed: 1], perHour: 5, next: now, began: now,
      rows: [.init(board, .failed, "its checksum is wrong")], time: now)
    let events: [FleetEvent] = [
      .batch(batch), .state(state), .availability(board, Availability(reason: .connected, since: now)),
      .health(now, [:], .fine), .alarms(AlarmReport([alarm], at: now)), .forgotten(board),
      .adapterForgotten(AdapterID(board.address)), .reply(reply), .rollout(rollout),
      .rolloutForgotten("fw-1"),
    ]
    return [dialect.birth(3, at: now, reason: "started"), dialect.offlineMessage(birth: 3, at: now)]
      + events.flatMap(dialect.messages)
  }()

  @Test func `what the dialect publishes goes out as the reference says, and keeps to its schema`() throws {
    let schemas = Dictionary(uniqueKeysWithValues: ContractFiles.documents.map { ($0.name, $0.schema) })
    for outgoing in Self.published {
      let message = outgoing.message
      let reference = try #require(Self.reference(of: message.topic), "\(message.topic)")
      #expect(reference.isRetained == message.isRetained, "\(message.topic)")
      #expect(reference.qualityOfService == Int(message.qualityOfService.rawValue), "\(message.topic)")
      guard case .document(let name) = reference.payload, !message.payload.isEmpty else { continue }
      let schema = try #require(schemas[name])
      let document = try StrictJSON.parse(message.payload)
      #expect(SchemaCheck(schema).problems(of: document) == [], "\(message.topic)")
    }
  }

  @Test func `every document of a board, every lane, command and reply has its topic`() {
    let names = Set(TopicReference.all.map(\.name))
    #expect(names.count == TopicReference.all.count)
    #expect(Set(TopicReference.all.map(\.topic)).count == TopicReference.all.count)
    for document in TopicTree.BoardDocument.allCases { #expect(names.contains("board.\(document.rawValue)")) }
    for lane in TopicTree.Lane.allCases { #expect(names.contains("board.\(lane.rawValue)")) }
    for target in ["board", "group", "gateway"] {
      #expect(names.isSuperset(of: ["\(target).cmd", "\(target).reply"]))
    }
    #expect(
      TopicReference.all.map(\.topic).contains("{prefix}/device/metafleet_{board}/config"),
      "the board's place is a parameter")
  }

  @Test func `every place in braces is explained`() {
    let explained = Set(TopicReference.parameters.map(\.name))
    #expect(Set(TopicReference.all.flatMap(\.parameters)) == explained)
  }

  @Test func `every schema that a topic names is written`() {
    let written = Set(ContractFiles.documents.map(\.name))
    for reference in TopicReference.all {
      switch reference.payload {
      case .document(let name), .cbor(let name): #expect(written.contains(name), "\(name)")
      case .text, .requests, .replies, .jobReplies: break
      }
    }
  }

  @Test func `boards and gateways have the events that the contract says`() throws {
    let text = try String(
      contentsOf: CommandContract.repository.appending(path: "deploy/docs/mqtt-contract.md"), encoding: .utf8)
    func kinds(under title: String) -> Set<String> {
      let rows = text.split(separator: "\n", omittingEmptySubsequences: false).drop {
        !$0.hasPrefix("| \(title) |")
      }.prefix {
        $0.hasPrefix("|")
      }
      let names = rows.dropFirst(2).flatMap { row in
        row.split(separator: "|")[0].matches(of: /`([a-z-]+)`/).map { String($0.1) }
      }
      return Set(names)
    }
    #expect(kinds(under: "board kind") == Set(EventKind.ofBoards.map(\.rawValue)))
    #expect(kinds(under: "gateway kind") == Set(EventKind.ofGateways.map(\.rawValue)))
  }

  @Test(
    arguments: [
      (["const": true], "`true`"), (["enum": ["a", "b"]], "`a` `b`"), (["type": "integer"], "integer"),
      (["type": "integer", "minimum": 0], "integer, at least 0"),
      (["type": "number", "minimum": 0, "maximum": 1], "number 0 to 1"),
      (["type": "array", "items": ["type": "string"]], "list of string"), (["type": "object"], "object"),
      (["type": "object", "properties": ["r": [:], "g": [:]]], "object: `r` `g`"),
      (["type": "string", "oneOf": [["const": "x"], ["const": "y"]]], "`x` `y`"),
    ] as [(JSONObject, String)])
  func `what a schema allows is said in a few words`(schema: JSONObject, words: String) {
    #expect(SchemaWords.of(schema) == words)
  }
}
