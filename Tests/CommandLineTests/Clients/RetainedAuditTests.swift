import Dialects
import FleetModel
import Testing

@testable import metafleet

/// What should not be retained, or should and is not.
@Suite struct RetainedAuditTests {
  private static let info =
    #"{"gateway":"g1","host":"pi","config_hash":"00","boards":["e5a1c2d3f4b6"]}"#

  private static let fleet = [
    "m/gateway/g1/availability": #"{"state":"online","birth":3}"#, "m/gateway/g1/info": info,
    "m/gateway/g1/health": #"{"gw":"g1"}"#,
    "m/gateway/g1/adapter/001a7dda7113": #"{"adapter":"001a7dda7113"}"#,
    "m/board/e5a1c2d3f4b6/info": #"{"gw":"g1"}"#, "m/board/e5a1c2d3f4b6/led": #"{"state":"OFF"}"#,
    "m/board/e5a1c2d3f4b6/availability": #"{"state":"online","gw":"g1"}"#,
  ]

  /// The fleet with other topics beside; an empty text is none.
  private static func audit(_ others: [String: String]) -> RetainedAudit {
    var audit = RetainedAudit(base: "m")
    for (topic, text) in fleet.merging(others, uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key }) {
      audit.saw(MQTTMessage(topic: topic, payload: Array(text.utf8), isRetained: true))
    }
    return audit
  }

  private static let cases: [([String: String], [String])] = [
    ([:], []),
    (["m/board/e5a1c2d3f4b7/info": #"{"gw":"g1"}"#], ["board m/board/e5a1c2d3f4b7/info"]),
    (["m/board/e5a1c2d3f4b7/led": #"{"state":"OFF"}"#], ["board m/board/e5a1c2d3f4b7/led"]),
    (["m/board/e5a1c2d3f4b7/info": #"{"gw":"nobody"}"#], ["orphan m/board/e5a1c2d3f4b7/info"]),
    (
      [
        "m/board/e5a1c2d3f4b6/cmd/led": "{}", "m/board/e5a1c2d3f4b6/live/steps": "{}",
        "m/group/all/cmd/led": "{}",
      ],
      ["passing m/board/e5a1c2d3f4b6/cmd/led m/board/e5a1c2d3f4b6/live/steps m/group/all/cmd/led"]
    ),
    (["m/board/e5a1c2d3f4b6/availability": ""], ["missing m/board/e5a1c2d3f4b6/availability"]),
    (["m/gateway/g1/health": ""], ["missing m/gateway/g1/health"]),
    (["m/board/e5a1c2d3f4b6/state": "on"], ["unreadable m/board/e5a1c2d3f4b6/state"]),
    (
      ["m/gateway/g1/notes": "x", "m/board/pump/info": "{}"], ["unknown m/board/pump/info m/gateway/g1/notes"]
    ),
    (["other/board/x/y": "{}"], []),
  ]

  @Test(arguments: cases)
  func `F261 what should not be there is named, and nothing else`(others: [String: String], found: [String]) {
    let findings = Self.audit(others).findings
    #expect(findings.map { "\($0.kind.rawValue) " + $0.topics.joined(separator: " ") } == found)
  }

  @Test func `F261 a board of a gateway that is offline may be its still`() {
    let audit = Self.audit([
      "m/gateway/g2/availability": #"{"state":"offline"}"#, "m/board/e5a1c2d3f4b8/info": #"{"gw":"g2"}"#,
    ])
    #expect(audit.findings == [] && audit.removable == [])
  }

  @Test func `F261 what an access list hides is not taken for gone`() {
    // Of other gateways the shipped access list shows a gateway's user nothing but their availability.
    let hidden = Self.audit([
      "m/gateway/g2/availability": #"{"state":"online"}"#, "m/board/e5a1c2d3f4b8/info": #"{"gw":"g2"}"#,
    ])
    #expect(hidden.findings == [])
    let ownerless = Self.audit([
      "m/gateway/g2/availability": #"{"state":"online"}"#, "m/board/e5a1c2d3f4b8/led": "{}",
    ])
    #expect(ownerless.findings.map(\.kind) == [.orphan] && ownerless.removable == [])
  }

  @Test func `F261 a gateway that was renamed is left over with all that it alone has spoken of`() {
    let old = #"{"gateway":"old","host":"pi","config_hash":"00","boards":["e5a1c2d3f4b6","e5a1c2d3f4b8"]}"#
    let audit = Self.audit([
      "m/gateway/old/availability": #"{"state":"offline","birth":1}"#, "m/gateway/old/info": old,
      "m/board/e5a1c2d3f4b8/info": #"{"gw":"old"}"#,
    ])
    #expect(
      audit.removable == ["m/board/e5a1c2d3f4b8/info", "m/gateway/old/info", "m/gateway/old/availability"])
    #expect(audit.findings.map(\.subject) == ["gateway m/gateway/old"])
    #expect(audit.filtersElsewhere == [])
  }

  @Test func `F261 another base topic of the same gateway is found, and read besides`() {
    var audit = Self.audit(["n/gateway/g1/info": Self.info])
    #expect(audit.filtersElsewhere.contains("n/gateway/g1/#"))
    audit.saw(
      MQTTMessage(
        topic: "n/board/e5a1c2d3f4b6/info", payload: Array(#"{"gw":"g1"}"#.utf8), isRetained: true))
    #expect(audit.removable == ["n/board/e5a1c2d3f4b6/info", "n/gateway/g1/info"])
  }

  @Test(arguments: [("two", "pi", []), ("two", "pi", ["e5a1c2d3f4b8"]), ("g1", "pi2", ["e5a1c2d3f4b8"])])
  func `F261 a gateway that is switched off is not taken for one that has its computer's name, or its id`(
    id: String, host: String, boards: [String]
  ) {
    let base = id == "g1" ? "n" : "m"
    let list = boards.map { "\"\($0)\"" }.joined(separator: ",")
    let audit = Self.audit([
      "\(base)/gateway/\(id)/availability": #"{"state":"offline"}"#,
      "\(base)/gateway/\(id)/info":
        #"{"gateway":"\#(id)","host":"\#(host)","config_hash":"00","boards":[\#(list)]}"#,
    ])
    #expect(audit.findings.map(\.kind) == [.namesake] && audit.removable == [])
  }

  @Test func `F261 what became right since it was found is not removed`() throws {
    var audit = Self.audit(["m/board/e5a1c2d3f4b7/info": #"{"gw":"g1"}"#])
    let finding = try #require(audit.findings.first)
    #expect(audit.stillRemovable(finding) == ["m/board/e5a1c2d3f4b7/info"])
    let info = Self.info.replacing(#"["e5"#, with: #"["e5a1c2d3f4b7","e5"#)
    audit.saw(MQTTMessage(topic: "m/gateway/g1/info", payload: Array(info.utf8), isRetained: true))
    #expect(audit.stillRemovable(finding).isEmpty)
  }

  private static let foreign = [
    #"{"gateway":"g1","host":"pi"}"#, #"{"host":"pi","config_hash":"0"}"#, "5", "",
    #"{"gateway":"g9","host":"pi","config_hash":"0"}"#,
  ]

  @Test(arguments: foreign)
  func `F261 topics of other programs that look alike are not touched`(info: String) {
    #expect(Self.audit(["x/gateway/g1/info": info]).removable == [])
  }

  @Test func `F261 a gateway that is online is never left over`() {
    let audit = Self.audit([
      "n/gateway/g1/info": Self.info, "n/gateway/g1/availability": #"{"state":"online"}"#,
    ])
    #expect(audit.removable == [])
  }

  @Test func `F261 a board that two gateways have is told, and nothing of it removed`() {
    let audit = Self.audit([
      "m/gateway/g2/availability": #"{"state":"online"}"#, "m/gateway/g2/health": "{}",
      "m/gateway/g2/info":
        #"{"gateway":"g2","host":"pi2","config_hash":"00","boards":["e5a1c2d3f4b6"]}"#,
    ])
    #expect(audit.findings.map(\.kind) == [.contested] && audit.removable == [])
  }

  @Test func `what only goes by stays nowhere, and a document that is said again is not new`() {
    var audit = RetainedAudit(base: "m")
    let passing = MQTTMessage(topic: "m/board/e5a1c2d3f4b6/live/steps", payload: [1])
    #expect(!audit.isNew(passing))
    audit.saw(passing)
    #expect(audit.count == 0)
    let document = MQTTMessage(topic: "m/gateway/g1/health", payload: Array("{}".utf8), isRetained: true)
    #expect(audit.isNew(document))
    audit.saw(document)
    #expect(!audit.isNew(document) && audit.count == 1)
  }
}
