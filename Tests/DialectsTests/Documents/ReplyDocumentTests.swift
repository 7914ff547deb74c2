import FleetModel
import Testing

@testable import Dialects

/// MQTT contract 3.1.
@Suite struct ReplyDocumentTests {
  private let time = Timestamp(milliseconds: 1_763_671_235_901)

  private func document(
    _ stage: CommandReply.Stage, to target: CommandTarget = .board(.example), verb: String = "led"
  ) -> JSONObject {
    ReplyDocument(
      CommandReply(id: "01JDB8ZKQ4N8W2M6T5V7X9Z1AB", target: target, verb: verb, stage: stage, time: time),
      gateway: "gw-3f-east"
    ).json
  }

  private static let common: [String: ContractType] = [
    "id": .str, "stage": .str, "verb": .str, "board": .str, "gw": .str, "ts_ms": .int,
  ]
  private static let final = common.merging(["ok": .bool, "took_ms": .int]) { common, _ in common }

  private func with(_ keys: [String: ContractType], _ base: [String: ContractType]) -> [String: ContractType]
  {
    base.merging(keys) { base, _ in base }
  }

  @Test func `done as in the example`() throws {
    let reply = document(
      .final(.done(evidence: .readback, data: ["playing": true]), took: .milliseconds(1_334)))
    let expected = try object(
      """
      {"id":"01JDB8ZKQ4N8W2M6T5V7X9Z1AB","stage":"done","ok":true,"verb":"led","board":"e5a1c2d3f4b6","gw":"gw-3f-east",
       "ts_ms":1763671235901,"took_ms":1334,"evidence":"readback","data":{"playing":true}}
      """)
    #expect(reply == expected)
  }

  @Test func `accepted and sent say nothing else`() {
    for (stage, name) in [(CommandReply.Stage.accepted, "accepted"), (.sent, "sent")] {
      expect(document(stage), always: Self.common)
      #expect(document(stage)["stage"]?.string == name)
    }
  }

  @Test func `queued may tell when`() {
    expect(document(.queued(eta: nil)), always: Self.common)
    let reply = document(.queued(eta: time))
    expect(reply, always: with(["eta_ms": .int], Self.common))
    #expect(reply["stage"] == "queued" && reply["eta_ms"] == 1_763_671_235_901)
  }

  @Test func `progress tells how far`() {
    let reply = document(.progress(percent: 12.345, eta: nil))
    expect(reply, always: with(["pct": .num], Self.common))
    #expect(reply["pct"] == 12.3)
    expect(
      document(.progress(percent: 100, eta: time)), always: with(["pct": .num, "eta_ms": .int], Self.common))
  }

  @Test func `done of a gateway has no evidence`() {
    let reply = document(.final(.done(evidence: nil, data: [:]), took: .zero), to: .gateway("gw-3f-east"))
    var keys = with(["gateway": .str], Self.final)
    keys["board"] = nil
    expect(reply, always: keys)
    #expect(reply["ok"] == true && reply["gateway"] == "gw-3f-east")
  }

  @Test func `of a group it names the group`() {
    #expect(document(.accepted, to: .group("east"))["group"] == "east")
    #expect(document(.accepted, to: .group("east"))["board"] == nil)
  }

  @Test(arguments: CommandFailure.Code.allCases)
  func `failed tells why, and busy when to try again`(code: CommandFailure.Code) {
    let reply = document(.final(.failed(CommandFailure(code, "because")), took: .milliseconds(5)))
    var keys = with(["code": .str, "message": .str], Self.final)
    if code == .busy { keys["retry_after_ms"] = .int }
    expect(reply, always: keys)
    #expect(reply["stage"] == "failed" && reply["ok"] == false && reply["code"]?.string == code.rawValue)
  }

  @Test func `failed may hold partial results and when to try again`() {
    let failure = CommandFailure(.busy, "later", retryAfter: .milliseconds(2_500), data: ["entries": 812])
    let reply = document(.final(.failed(failure), took: .zero))
    expect(
      reply,
      always: with(["code": .str, "message": .str, "retry_after_ms": .int, "data": .object], Self.final))
    #expect(reply["retry_after_ms"] == 2_500 && reply["data"] == ["entries": 812])
  }

  @Test func `unknown is not OK and says why`() {
    let reply = document(.final(.unknown(message: "the link was lost"), took: .seconds(5)))
    expect(reply, always: with(["message": .str], Self.final))
    #expect(reply["stage"] == "unknown" && reply["ok"] == false && reply["took_ms"] == 5_000)
  }

  @Test func `a clock that was set back makes no negative duration`() {
    #expect(document(.final(.done(evidence: .response, data: [:]), took: .seconds(-9)))["took_ms"] == 0)
  }

  @Test func `F81 a repeat is what was stored, with duplicate`() {
    let stored = document(.final(.done(evidence: .readback, data: ["playing": true]), took: .seconds(1)))
    var expected = stored
    expected["duplicate"] = true
    #expect(document(.repeated(stored), verb: "other") == expected)
  }
}
