import FleetModel
import Testing

@testable import metafleet

@Suite struct AuditListingTests {
  private static let board = BoardID(BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6))

  private static let trail = [
    AuditLine(
      time: Timestamp(milliseconds: 1_763_671_234_567), target: .board(board), verb: "led", id: "a-1",
      arguments: ["color": "green"],
      sender: [UserProperty("user", "ada"), UserProperty("app", "flow")],
      end: .init(stage: "done", took: .milliseconds(1_334))),
    AuditLine(
      time: Timestamp(milliseconds: 1_763_671_235_000), target: .group("east"), verb: "identify", id: "a-2",
      responseTopic: "node-red/answers"),
    AuditLine(
      time: Timestamp(milliseconds: 1_763_671_236_000), target: .gateway("g1"), verb: "sc\u{1B}an", id: "a-3",
      isRefusal: true, end: .init(stage: "failed", code: "invalid", took: .zero)),
  ]

  @Test func `a line says who wanted what of whom, and what came of it`() {
    let lines = AuditListing.table(of: Self.trail, names: [Self.board: "Pump 3"]).lines()
    #expect(
      lines == [
        #"TIME                      WHO                TARGET      VERB        OUTCOME           TOOK  ID   ARGUMENTS"#,
        #"2025-11-20T20:40:34.567Z  user=ada app=flow  Pump 3      led         done                1s  a-1  {"color":"green"}"#,
        #"2025-11-20T20:40:35.000Z  node-red/answers   group:east  identify    running                 a-2"#,
        #"2025-11-20T20:40:36.000Z  -                  gateway:g1  sc\u{1B}an  refused: invalid    0s  a-3"#,
      ])
  }

  @Test func `F224 who our own tools say they are is who it was`() {
    let line = AuditLine(
      time: Timestamp(milliseconds: 0), target: .group("east"), verb: "led", id: "a-1",
      sender: [UserProperty("who", "anna@pi metafleet"), UserProperty("app", "flow")], responseTopic: "x")
    let table = AuditListing.table(of: [line], names: [:]).lines().last ?? ""
    #expect(table.contains("  anna@pi metafleet  group:east  led "))
  }

  @Test func `F224 where all fits it is one line, else none of it is lost`() {
    let names = [Self.board: "Pump 3"]
    let wide = AuditListing.lines(of: Self.trail, names: names, width: 150)
    #expect(wide == AuditListing.lines(of: Self.trail, names: names, width: nil) && wide.count == 4)
    #expect(
      AuditListing.lines(of: Self.trail, names: names, width: 80) == [
        "TIME            WHO                TARGET      VERB        OUTCOME",
        "11-20 20:40:34  user=ada app=flow  Pump 3      led         done",
        #"    took 1s  id a-1  {"color":"green"}"#,
        "11-20 20:40:35  node-red/answers   group:east  identify    running",
        "    id a-2",
        #"11-20 20:40:36  -                  gateway:g1  sc\u{1B}an  refused: invalid"#,
        "    took 0s  id a-3",
      ])
  }

  @Test func `of a batch the commands are listed one behind the other`() {
    let commands: JSONValue = [["verb": "led", "args": ["color": "red"]], ["verb": "reset"]]
    var line = AuditLine(
      time: Timestamp(milliseconds: 1_763_671_234_567), target: .board(Self.board), verb: "batch", id: "a-1",
      arguments: ["commands": commands, "on_failure": "continue"])
    func shown() -> String { AuditListing.table(of: [line], names: [:]).lines().last ?? "" }
    #expect(shown().hasSuffix(#"  led {"color":"red"}; reset; on_failure: continue"#))
    line.arguments = ["commands": 5]
    #expect(shown().hasSuffix(#"  {"commands":5}"#), "what could not be read is shown as it came")
  }

  @Test func `as an object it holds all`() {
    #expect(
      Self.trail.map { JSONText.of(.object(AuditListing.object(of: $0))) } == [
        #"{"ts_ms":1763671234567,"board":"e5a1c2d3f4b6","verb":"led","id":"a-1","args":{"color":"green"},"sender":[{"name":"user","value":"ada"},{"name":"app","value":"flow"}],"refused":false,"stage":"done","took_ms":1334}"#,
        #"{"ts_ms":1763671235000,"group":"east","verb":"identify","id":"a-2","args":{},"sender":[],"response_topic":"node-red/answers","refused":false}"#,
        #"{"ts_ms":1763671236000,"gateway":"g1","verb":"sc\u001ban","id":"a-3","args":{},"sender":[],"refused":true,"stage":"failed","code":"invalid","took_ms":0}"#,
      ])
  }
}
