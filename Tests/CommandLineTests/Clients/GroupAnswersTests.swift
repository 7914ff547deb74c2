import Dialects
import FleetModel
import Testing

@testable import metafleet

/// MQTT contract 4.2.
@Suite struct GroupAnswersTests {
  private static func id(_ number: Int) -> String {
    BoardID(BluetoothAddress(rawValue: UInt64(number))).description
  }

  private static func reply(_ number: Int, _ further: JSONObject, job: String = "x") -> ReplyDocument {
    let reply: JSONObject = [
      "id": .string("\(job).\(id(number))"), "board": .string(id(number)), "verb": "read", "gw": "g1",
    ]
    return ReplyDocument(json: reply.merging(further))
  }

  private static let battery: JSONObject = [
    "stage": "done", "data": ["ts_ms": 1_763_671_235_801, "battery_pct": 81, "battery_mv": 4012],
  ]
  private static let unreachable: JSONObject = [
    "stage": "failed", "code": "unreachable", "message": "it was not heard",
  ]

  @Test func `of three members each has a line: its value, why it failed, or that nobody knows`() {
    var answers = GroupAnswers(job: "x")
    let replies = [
      Self.reply(1, Self.battery), Self.reply(2, Self.unreachable),
      Self.reply(3, ["stage": "unknown", "message": "the link went"]),
    ]
    let names = [Self.id(1): "Pump 3\u{1B}"]
    let lines = replies.map { reply -> String? in
      answers.takes(reply) ? GroupAnswers.line(of: reply, names: names) : "not taken"
    }
    #expect(
      lines == [
        "Pump 3\\u{1B}  battery_pct: 81, battery_mv: 4012",
        "\(Self.id(2))  failed: unreachable: it was not heard",
        "\(Self.id(3))  unknown: the link went",
      ])
    #expect(answers.told.count == 3 && answers.missing(of: 1) == 0 && answers.missing(of: 2) == 1)
  }

  @Test func `F184 of two hundred members each is told once, also where answers come twice`() {
    var answers = GroupAnswers(job: "x")
    var lines = 0
    for number in (1...200).flatMap({ [$0, $0] }) {
      let reply = Self.reply(number, number % 7 == 0 ? Self.unreachable : Self.battery)
      if answers.takes(reply), GroupAnswers.line(of: reply, names: [:]) != nil { lines += 1 }
    }
    #expect(lines == 200 && answers.told.count == 200 && answers.missing(of: 172) == 0)
  }

  @Test func `stages on the way, other jobs and the job's own replies are none of theirs`() {
    var answers = GroupAnswers(job: "x")
    let others = [
      Self.reply(1, ["stage": "sent"]), Self.reply(1, Self.battery, job: "y"),
      ReplyDocument(json: ["id": "x", "group": "east", "stage": "done"]),
      ReplyDocument(json: ["id": .string("x.\(Self.id(1))"), "stage": "done"]),
    ]
    for reply in others {
      let isTaken = answers.takes(reply)
      #expect(!isTaken)
    }
    #expect(answers.told.isEmpty)
  }

  @Test func `a board that says no more than that it is done needs no line`() {
    #expect(GroupAnswers.line(of: Self.reply(1, ["stage": "done"]), names: [:]) == nil)
  }

  @Test func `a batch is one line`() {
    let data: JSONObject = [
      "results": [
        ["verb": "led", "stage": "done"], ["verb": "read", "stage": "done", "data": ["battery_pct": 81]],
      ]
    ]
    let reply = Self.reply(1, ["verb": "batch", "stage": "done", "data": .object(data)])
    #expect(
      GroupAnswers.line(of: reply, names: [:]) == "\(Self.id(1))  led done; read done: battery_pct: 81")
  }
}
