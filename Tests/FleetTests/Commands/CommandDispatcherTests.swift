import Dialects
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

@Suite struct CommandDispatcherTests {
  private static let request = #"{"id":"one","args":{}}"#

  // The way of a command.

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `accepted, sent, one final answer`(seed: UInt64) throws {
    let rig = try DispatcherRig(seed: seed)
    let replies = try rig.run { dispatcher -> [JSONObject] in
      await rig.send(Self.request, dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      return await rig.replies
    }
    #expect(replies.map { $0["stage"]?.string } == ["accepted", "sent", "done"], "seed \(seed)")
    #expect(
      replies.allSatisfy { $0["id"] == "one" && $0["gateway"] == "gw" && $0["verb"] == "reload" },
      "seed \(seed)")
    #expect(replies.last?["ok"] == true && replies.last?["data"] == ["n": 1], "seed \(seed)")
    #expect(rig.counters.value(of: .commandsOK) == 1 && rig.counters.value(of: .commandsFailed) == 0)
  }

  @Test func `F242 whoever watches hears the answers that are written down, each once`() throws {
    let rig = try DispatcherRig(seed: 1)
    let replies = try rig.run { dispatcher -> [JSONObject] in
      await rig.send(Self.request, dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      return await rig.replies
    }
    #expect(rig.heard.documents(on: "m/gateway/gw/reply/reload") == replies && replies.count == 3)
  }

  @Test func `F242 what is refused keeps what its sender said of itself`() throws {
    let rig = try DispatcherRig(seed: 1)
    let trail = try rig.run { dispatcher -> [AuditEntry] in
      for text in ["{", #"{"id":"b","args":{"x":1}}"#] {
        await rig.send(text, dispatcher: dispatcher) {
          $0.properties.user = [UserProperty("origin", "http"), UserProperty("peer", "192.0.2.7")]
        }
      }
      await rig.pass(.seconds(1))
      return (try? await rig.store.audit.entries(limit: 10)) ?? []
    }
    #expect(trail.count == 2)
    #expect(trail.allSatisfy { $0.sender.claimedSender == "origin=http peer=192.0.2.7" && $0.isRefusal })
  }

  private static let outcomesCases: [(CommandOutcome, String, Int)] = [
    (.done(evidence: nil, data: [:]), "done", 0), (.failed(CommandFailure(.unreachable, "x")), "failed", 1),
    (.unknown(message: "x"), "unknown", 1),
  ]

  @Test(arguments: outcomesCases)
  func `MQTT contract 1.6: unknown counts as failed`(outcome: CommandOutcome, stage: String, failed: Int)
    throws
  {
    let rig = try DispatcherRig(seed: 1)
    let stages = try rig.run { dispatcher -> [String] in
      await rig.script.end(with: outcome)
      await rig.send(Self.request, dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      return await rig.stages
    }
    #expect(stages == ["accepted", "sent", stage])
    #expect(
      rig.counters.value(of: .commandsFailed) == failed && rig.counters.value(of: .commandsOK) == 1 - failed)
  }

  @Test func `answers also go to the response topic, with the correlation data, at every stage`() throws {
    let rig = try DispatcherRig(seed: 1)
    let topics = try rig.run { dispatcher -> [String] in
      await rig.send(Self.request, dispatcher: dispatcher) {
        $0.properties.responseTopic = "me/answers"
        $0.properties.correlationData = [7]
      }
      await rig.pass(.seconds(1))
      let rows = (try? await rig.store.outbox.waiting(limit: 100)) ?? []
      return rows.filter { $0.message.message.properties.correlationData == [7] }.map(\.message.topic)
    }
    #expect(topics == ["me/answers", "me/answers", "me/answers"])
  }

  // At most once.

  @Test(
    arguments: 1...8 as ClosedRange<UInt64>)
  func `F81 the same command three times over two restarts: one execution, the same answer`(seed: UInt64)
    throws
  {
    let rig = try DispatcherRig(seed: seed)
    for _ in 1...3 {
      try rig.run { dispatcher in
        await rig.send(Self.request, dispatcher: dispatcher)
        await rig.pass(.seconds(1))
      }
    }
    let (performed, said, final) = try rig.run { _ in
      (await rig.script.performed, await rig.said, await rig.replies.last)
    }
    #expect(performed == [.reload(isConfirmed: false)], "seed \(seed)")
    var expected = try #require(final)
    #expect(expected["stage"] == "done", "seed \(seed)")
    expected["duplicate"] = true
    #expect(said == [expected, expected], "all but duplicate as stored; seed \(seed)")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `F81 twice at the same moment: one execution`(seed: UInt64) throws {
    let rig = try DispatcherRig(seed: seed)
    let (performed, stages, said) = try rig.run { dispatcher -> (Int, [String], [JSONObject]) in
      await withDiscardingTaskGroup { group in
        for _ in 1...5 { group.addTask { await rig.send(Self.request, dispatcher: dispatcher) } }
      }
      await rig.pass(.seconds(1))
      return (await rig.script.performed.count, await rig.stages, await rig.said)
    }
    #expect(performed == 1, "seed \(seed)")
    #expect(stages == ["accepted", "sent", "done"], "seed \(seed)")
    #expect(said.count == 4 && said.allSatisfy { $0["duplicate"] == true }, "seed \(seed)")
  }

  @Test func `F81 while the first still runs a repeat gets the latest stage`() throws {
    let rig = try DispatcherRig(seed: 1)
    rig.runUntilKilled { dispatcher in
      await rig.script.hang(true)
      await rig.send(Self.request, dispatcher: dispatcher)
      await rig.pass(.seconds(5))
      await rig.send(Self.request, dispatcher: dispatcher)
    }
    let said = try rig.run { _ in await rig.said }
    #expect(said.first?["stage"] == "sent" && said.first?["duplicate"] == true)
  }

  @Test func `the same id with another body is a mistake, and is not executed`() throws {
    let rig = try DispatcherRig(seed: 1)
    let (performed, said) = try rig.run { dispatcher -> (Int, [JSONObject]) in
      await rig.send(Self.request, dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      await rig.send(#"{"id":"one"}"#, dispatcher: dispatcher)
      return (await rig.script.performed.count, await rig.said)
    }
    #expect(performed == 1)
    #expect(said.map { $0["code"]?.string } == ["duplicate-id-mismatch"])
  }

  @Test func `the key is topic and id: another verb with the same id is another command`() throws {
    let rig = try DispatcherRig(seed: 1)
    let performed = try rig.run { dispatcher -> [GatewayIntent] in
      await rig.send(Self.request, dispatcher: dispatcher)
      await rig.send(Self.request, to: "scan", dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      return await rig.script.performed
    }
    #expect(Set(performed) == [.reload(isConfirmed: false), .scan(duration: .seconds(10), all: false)])
  }

  @Test func `F81 a repeat is known before anything else is judged: also after its expiry`() throws {
    let rig = try DispatcherRig(seed: 1)
    let said = try rig.run { dispatcher -> [JSONObject] in
      await rig.send(Self.request, dispatcher: dispatcher)
      await rig.pass(.seconds(3_600))
      await rig.send(Self.request, dispatcher: dispatcher) { $0.properties.expiryInterval = 0 }
      return await rig.said
    }
    #expect(said.map { $0["stage"]?.string } == ["done"])
  }

  private static let anonymousCases: [(Bool, Int, Int)] = [
    // Marked by the broker as delivered again, seconds later, how often it is executed.
    (true, 5, 1), (true, 599, 1), (true, 601, 2), (false, 5, 2),
  ]

  @Test(arguments: anonymousCases)
  func `without an id only a broker's redelivery within 10 min is a repeat`(
    isRedelivery: Bool, seconds: Int, executions: Int
  ) throws {
    let rig = try DispatcherRig(seed: 1)
    let performed = try rig.run { dispatcher -> Int in
      await rig.send("PRESS", dispatcher: dispatcher, id: "fresh-1")
      await rig.pass(.seconds(seconds))
      await rig.send("PRESS", dispatcher: dispatcher, id: "fresh-2") { $0.isRedelivery = isRedelivery }
      await rig.pass(.seconds(1))
      return await rig.script.performed.count
    }
    #expect(performed == executions)
  }

  // Across a crash.

  @Test(
    arguments: 1...8 as ClosedRange<UInt64>)
  func `F82 killed while a command ran: unknown, once, and never run again`(seed: UInt64) throws {
    let rig = try DispatcherRig(seed: seed)
    rig.runUntilKilled { dispatcher in
      await rig.script.hang(true)
      await rig.send(Self.request, dispatcher: dispatcher)
    }
    let (performed, stages, said) = try rig.run { dispatcher -> (Int, [String], [JSONObject]) in
      await rig.script.hang(false)
      await rig.pass(.seconds(60))
      await rig.send(Self.request, dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      return (await rig.script.performed.count, await rig.stages, await rig.said)
    }
    #expect(performed == 1, "seed \(seed)")
    #expect(stages == ["accepted", "sent", "unknown"], "seed \(seed)")
    #expect(said.map { $0["stage"]?.string } == ["unknown"], "seed \(seed)")
  }

  @Test(
    arguments: 1...8 as ClosedRange<UInt64>)
  func `F82 killed before a command was begun: it is taken up again, once`(seed: UInt64) throws {
    let rig = try DispatcherRig(seed: seed)
    try enter(rig, expires: 600_000)
    for _ in 1...2 { try rig.run { _ in await rig.pass(.seconds(10)) } }
    let (performed, stages) = try rig.run { _ in (await rig.script.performed.count, await rig.stages) }
    #expect(performed == 1, "seed \(seed)")
    #expect(stages == ["sent", "done"], "seed \(seed)")
  }

  @Test func `F83 expired meanwhile: answered, never run late`() throws {
    let rig = try DispatcherRig(seed: 1)
    try enter(rig, expires: -1)
    let (performed, replies) = try rig.run { _ in
      await rig.pass(.seconds(1))
      return (await rig.script.performed.count, await rig.replies)
    }
    #expect(performed == 0)
    #expect(replies.map { $0["code"]?.string } == ["expired"])
  }

  /// Puts a request into the ledger that nobody has begun.
  private func enter(_ rig: DispatcherRig, expires: Int64) throws {
    let request = CommandRequest(
      id: "one", hasSenderID: true, target: .gateway("gw"), verb: "reload", arguments: [:], mode: .now,
      expires: .at(expires), issued: nil, arrived: .at(0), payloadHash: 1)
    let entered = rig.world.run {
      try? await rig.store.commands.begin(
        .init(
          key: .init(topic: "m/gateway/gw/cmd/reload", id: "one"), payloadHash: 1, firstSeen: .at(0),
          expires: .at(expires),
          request: StoredRequest(request).bytes, reply: []))
    }
    #expect(entered == .some(.fresh))
  }

  // Before acceptance.

  @Test(
    arguments: [Self.request, "PRESS", "{"])
  func `F80 a retained command is never executed: refused, told, counted`(payload: String) throws {
    let rig = try DispatcherRig(seed: 1)
    let (performed, said, replies) = try rig.run { dispatcher -> (Int, [JSONObject], Int) in
      await rig.send(payload, dispatcher: dispatcher) { $0.isRetained = true }
      await rig.pass(.seconds(1))
      return (await rig.script.performed.count, await rig.said, await rig.replies.count)
    }
    #expect(performed == 0 && replies == 0)
    #expect(said.map { $0["kind"] ?? $0["code"] } == ["retained-command", "retained"])
    #expect(said.first?["verb"] == "reload" && said.first?["target"] == "m/gateway/gw/cmd/reload")
    #expect(said.first?["id"] == said.last?["id"])
    #expect(rig.counters.value(of: .commandsRetained) == 1)
  }

  @Test func `F80 an empty payload gets no answer and is counted`() throws {
    let rig = try DispatcherRig(seed: 1)
    let said = try rig.run { dispatcher -> Int in
      await rig.send("", dispatcher: dispatcher)
      await rig.send("", dispatcher: dispatcher) { $0.isRetained = true }
      await rig.pass(.seconds(1))
      return await rig.said.count
    }
    #expect(
      said == 0 && rig.counters.value(of: .commandsEmpty) == 2
        && rig.counters.value(of: .commandsRetained) == 0)
  }

  private static let refusedCases: [(String, String, String)] = [
    ("reload", "{", "invalid"), ("reload", #"{"id":"one","args":{"x":1}}"#, "invalid"),
    ("reboot", Self.request, "invalid"), ("reload", #"{"id":"one","mode":"queue"}"#, "invalid"),
    ("reload", #"{"id":"one","expires_ms":5}"#, "expired"), ("forget", "PRESS", "invalid"),
  ]

  @Test(arguments: refusedCases)
  func `refused before acceptance: only failed, nothing is remembered`(
    verb: String, payload: String, code: String
  ) throws {
    let rig = try DispatcherRig(seed: 1)
    let (performed, said, replies) = try rig.run { dispatcher -> (Int, [JSONObject], Int) in
      await rig.send(payload, to: verb, dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      return (await rig.script.performed.count, await rig.said, await rig.replies.count)
    }
    #expect(performed == 0 && replies == 0)
    #expect(said.map { $0["stage"]?.string } == ["failed"])
    #expect(said.first?["code"]?.string == code && said.first?["ok"] == false)
    #expect(said.first?["id"]?.string == (payload.contains("one") ? "one" : "fresh"))
  }

  @Test(
    arguments: ["{", #"{"args":{"x":1}}"#])
  func `a refusal reaches the requester's own topic, whether or not the request could be read`(
    payload: String
  ) throws {
    let rig = try DispatcherRig(seed: 1)
    let replies = try rig.run { dispatcher -> [CommandReply] in
      await rig.send(payload, dispatcher: dispatcher) {
        $0.properties.responseTopic = "me/answers"
        $0.properties.correlationData = [7]
      }
      return await rig.script.events.compactMap { if case .reply(let reply) = $0 { reply } else { nil } }
    }
    #expect(replies.map(\.replyTo) == [ReplyAddress(responseTopic: "me/answers", correlationData: [7])])
  }

  @Test func `F84 of a flood of bad requests ten a second are answered, the rest is counted`() throws {
    let rig = try DispatcherRig(seed: 1)
    let said = try rig.run { dispatcher -> Int in
      for _ in 1...500 { await rig.send("{", dispatcher: dispatcher) }
      await rig.pass(.seconds(2))
      await rig.send("{", dispatcher: dispatcher)
      return await rig.said.count
    }
    #expect(said == 11)
    #expect(
      rig.counters.value(of: .refusalsSuppressed) == 490 && rig.counters.value(of: .commandsFailed) == 501)
  }

  @Test func `F86 more commands at once than there is room for are busy, with a time to come again`() throws {
    var limits = CommandLimits()
    limits.queuePerBoard = 2
    let rig = try DispatcherRig(seed: 1, limits: limits)
    rig.runUntilKilled { dispatcher in
      await rig.script.hang(true)
      for number in 1...3 { await rig.send(#"{"id":"\#(number)"}"#, dispatcher: dispatcher) }
    }
    let said = try rig.run { _ in await rig.said }
    #expect(said.map { $0["code"]?.string } == ["busy"])
    #expect((said.first?["retry_after_ms"]?.integer ?? 0) > 0)
  }

  // Boards of others.

  private static let unknownTargetCases: [(String, String?)] = [
    (#"{"id":"one"}"#, "unreachable"), ("{", "invalid"), ("PRESS", "unreachable"),
  ]

  @Test(arguments: unknownTargetCases)
  func `a board that nobody has admitted is unreachable`(payload: String, code: String?) throws {
    let rig = try DispatcherRig(seed: 1)
    let said = try rig.run { dispatcher -> [JSONObject] in
      await rig.send(payload, to: "reset", of: .board(.number(1)), dispatcher: dispatcher)
      await rig.pass(.seconds(2))
      return await rig.said
    }
    #expect(
      said.map { $0["code"]?.string } == [code]
        && said.first?["board"]?.string == BoardID.number(1).description)
  }

  @Test(
    arguments: [#"{"id":"one"}"#, "{", "PRESS"])
  func `a board of another gateway is that one's to answer for`(payload: String) throws {
    let rig = try DispatcherRig(seed: 1)
    let said = try rig.run { dispatcher -> Int in
      await rig.script.set(elsewhere: [.number(1)])
      await rig.send(payload, to: "reset", of: .board(.number(1)), dispatcher: dispatcher)
      await rig.pass(.seconds(10))
      return await rig.said.count
    }
    #expect(said == 0)
  }

  @Test func `I14 F86 finding out whose a board is holds up no other command, and no flood of it grows`()
    throws
  {
    let rig = try DispatcherRig(seed: 1)
    let took = try rig.run { dispatcher -> Duration in
      let start = rig.world.uptime
      for number in 1...1_000 {
        await rig.send(
          #"{"id":"\#(number)"}"#, to: "reset", of: .board(.number(number)), dispatcher: dispatcher)
      }
      await rig.send(Self.request, dispatcher: dispatcher)
      while await rig.script.performed.isEmpty { await rig.pass(.milliseconds(10)) }
      return rig.world.uptime - start
    }
    #expect(took < .seconds(1))
    #expect(rig.counters.value(of: .refusalsSuppressed) >= 900)
  }
}
