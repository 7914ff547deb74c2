import Dialects
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Floods, repeats and boards that are away (fault matrix F81, F83, F86, F87).
@Suite(.timeLimit(.minutes(20)))
struct CommandDispatcherFaultTests {
  private static func rig(_ count: Int = 2, seed: UInt64 = 1, limits: CommandLimits = CommandLimits()) throws
    -> DispatcherRig
  {
    try DispatcherRig(
      seed: seed, limits: limits,
      boards: Dictionary(uniqueKeysWithValues: (1...count).map { (.number($0), ["east"]) }))
  }

  private static func one(_ number: Int) -> CommandTarget { .board(.number(number)) }

  // F81

  /// Target, verb, payload, whether the broker marks what comes again.
  private static let requests: [(CommandTarget, String, String, Bool)] = [
    (.gateway("gw"), "reload", #"{"id":"a","args":{}}"#, false), (one(1), "reset", #"{"id":"b"}"#, false),
    (one(2), "led", #"{"id":"c","state":"ON","color":{"r":255,"g":0,"b":0}}"#, false),
    (one(1), "identify", "PRESS", true),
    (one(1), "read", #"{"id":"d","args":{"what":"battery"},"mode":"queue"}"#, false),
    (.group("east"), "haptic", #"{"id":"e","args":{"kind":"buzzer","pulse_ms":100}}"#, false),
  ]

  @Test(
    arguments: 1...6 as ClosedRange<UInt64>)
  func `F81 each of a set of requests three times over two restarts: done once, answered alike`(seed: UInt64)
    throws
  {
    let rig = try Self.rig(seed: seed)
    var finals: [[JSONObject]] = []
    for round in 1...3 {
      let before = try rig.run { _ in (await rig.replies.count, await rig.said.count) }
      let (replies, said) = try rig.run { dispatcher -> ([JSONObject], [JSONObject]) in
        for (target, verb, payload, isMarked) in Self.requests {
          await rig.send(payload, to: verb, of: target, dispatcher: dispatcher, id: "fresh-\(round)") {
            $0.isRedelivery = isMarked && round > 1
          }
        }
        await rig.pass(.seconds(60))
        return (await rig.replies, await rig.said)
      }
      let new = Array(replies.dropFirst(before.0)) + said.dropFirst(before.1)
      let own = new.filter { $0["ok"] != nil && !($0["id"]?.string ?? "").hasPrefix("e.") }
      finals.append(own.sorted { ($0["verb"]?.string ?? "") < ($1["verb"]?.string ?? "") })
    }
    let (effects, performed) = try rig.run { _ in
      (await rig.script.effects.count, await rig.script.performed.count)
    }
    #expect(performed == 1 && effects == 6, "four boards' commands and two of the group; seed \(seed)")
    #expect(finals[0].count == Self.requests.count, "seed \(seed)")
    let expected = finals[0].map { final in
      var final = final
      final["duplicate"] = true
      return final
    }
    #expect(finals[1] == expected && finals[2] == expected, "seed \(seed)")
    #expect(finals[0].allSatisfy { $0["duplicate"] == nil })
  }

  @Test func `F81 a stored answer is given again byte for byte, but for the mark`() throws {
    let rig = try Self.rig()
    let (stored, again) = try rig.run { dispatcher -> ([UInt8], [UInt8]) in
      await rig.script.set(.number(1)) {
        $0.outcome = .done(
          evidence: .response,
          data: [
            "a": 1.5, "b": 20, "c": 1e21, "d": "\u{1}ß\"", "e": [0.1, -0.25], "f": .number(3), "g": [:],
          ])
      }
      await rig.send(#"{"id":"a"}"#, to: "reset", of: Self.one(1), dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      let stored = (try? await rig.store.outbox.waiting(limit: 100))?.last?.message.payload ?? []
      await rig.send(#"{"id":"a"}"#, to: "reset", of: Self.one(1), dispatcher: dispatcher)
      let again =
        await rig.script.events.flatMap { rig.dialect.messages(for: $0) }.last?.message.payload ?? []
      return (stored, again)
    }
    #expect(again == stored.dropLast() + Array(#","duplicate":true}"#.utf8))
  }

  // F86

  /// How long a command to board 2 takes while board 1 is, or is not, told a thousand things.
  private static func latency(flood: Int, seed: UInt64) throws -> Duration {
    let rig = try rig(seed: seed)
    return try rig.run { dispatcher -> Duration in
      await rig.script.set(.number(1)) { $0.takes = .seconds(5) }
      for number in 0..<flood {
        await rig.send(#"{"id":"\#(number)"}"#, to: "reset", of: Self.one(1), dispatcher: dispatcher)
      }
      let start = rig.world.uptime
      await rig.send(#"{"id":"mine"}"#, to: "reset", of: Self.one(2), dispatcher: dispatcher)
      while await rig.replies(of: Self.one(2)).last?["stage"] != "done" { await rig.pass(.milliseconds(5)) }
      return rig.world.uptime - start
    }
  }

  @Test(
    arguments: 1...4 as ClosedRange<UInt64>)
  func `F86 a thousand commands for one board leave those of another their time`(seed: UInt64) throws {
    let usual = try Self.latency(flood: 0, seed: seed)
    #expect(try Self.latency(flood: 1_000, seed: seed) == usual, "seed \(seed)")
  }

  @Test func `F86 of a flood every command is done in order, or told to be busy, or its refusal is counted`()
    throws
  {
    let rig = try Self.rig()
    let (done, busy) = try rig.run { dispatcher -> ([JSONObject], [JSONObject]) in
      for number in 0..<200 {
        await rig.send(
          #"{"id":"\#(number)","args":{}}"#, to: "reset", of: Self.one(1), dispatcher: dispatcher)
      }
      await rig.pass(.seconds(60))
      return (await rig.replies.filter { $0["stage"] == "done" }, await rig.said)
    }
    #expect(done.compactMap { $0["id"]?.string } == (0..<32).map(String.init), "as they arrived")
    #expect(busy.count == 10 && busy.allSatisfy { $0["code"] == "busy" })
    #expect(rig.counters.value(of: .refusalsSuppressed) == 158)
  }

  @Test(arguments: [2, 600])
  func `F86 whoever is told to be busy and keeps the time it is told gets through`(perMinute: Int) throws {
    var limits = CommandLimits()
    limits.perMinute = perMinute
    limits.queuePerBoard = 3
    let rig = try Self.rig(limits: limits)
    let tries = try rig.run { dispatcher -> [Int] in
      await rig.script.set(.number(1)) { $0.takes = .milliseconds(1_300) }
      var tries: [Int] = []
      for number in 0..<12 {
        var count = 0
        while true {
          count += 1
          let before = await rig.said.count
          await rig.send(#"{"id":"\#(number)"}"#, to: "reset", of: Self.one(1), dispatcher: dispatcher)
          let said = await rig.said
          guard said.count > before, let stay = said.last?["retry_after_ms"]?.integer else { break }
          await rig.pass(.milliseconds(stay))
        }
        tries.append(count)
      }
      return tries
    }
    #expect(tries.allSatisfy { $0 <= 2 }, "\(tries)")
    #expect(tries.contains(2))
  }

  // F83, F87

  @Test func `F87 a command for a board that is away is queued until it expires, and never runs late`() throws
  {
    let rig = try Self.rig()
    let (replies, effects) = try rig.run { dispatcher -> ([JSONObject], Int) in
      await rig.script.set(.number(1)) {
        $0.isAway = true
        $0.eta = .at(9_000_000)
      }
      let expires = rig.world.now.milliseconds + 60_000
      await rig.send(
        #"{"id":"a","mode":"queue","expires_ms":\#(expires)}"#, to: "reset", of: Self.one(1),
        dispatcher: dispatcher)
      await rig.pass(.seconds(61))
      await rig.script.set(.number(1)) { $0.isAway = false }
      await rig.pass(.seconds(60))
      return (await rig.replies, await rig.script.effects.count)
    }
    #expect(replies.map { ($0["code"] ?? $0["stage"])?.string } == ["accepted", "queued", "unreachable"])
    #expect(replies[1]["eta_ms"]?.integer == Timestamp.at(9_000_000).milliseconds && effects == 0)
  }

  @Test(
    arguments: [true, false])
  func `F83 F87 what waits in a queue waits on after a restart, and expires there, too`(comesInTime: Bool)
    throws
  {
    let rig = try Self.rig()
    rig.runUntilKilled { dispatcher in
      await rig.script.set(.number(1)) { $0.isAway = true }
      let expires = rig.world.now.milliseconds + 600_000
      await rig.send(
        #"{"id":"a","mode":"queue","expires_ms":\#(expires)}"#, to: "reset", of: Self.one(1),
        dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      await rig.script.kill()
      await DispatcherScript.never()
    }
    let (stages, effects) = try rig.run { dispatcher -> ([String?], Int) in
      await rig.pass(.seconds(comesInTime ? 10 : 700))
      await rig.script.set(.number(1)) { $0.isAway = false }
      await rig.pass(.seconds(10))
      return (await rig.replies.map { ($0["code"] ?? $0["stage"])?.string }, await rig.script.effects.count)
    }
    #expect(effects == (comesInTime ? 1 : 0))
    #expect(
      stages
        == (comesInTime
          ? ["accepted", "queued", "queued", "sent", "done"]
          : ["accepted", "queued", "queued", "unreachable"]))
  }

  @Test(
    arguments: 1...8 as ClosedRange<UInt64>)
  func `commands of one board are carried out in the order of arrival, one at a time`(seed: UInt64) throws {
    let rig = try Self.rig(seed: seed)
    let effects = try rig.run { dispatcher -> [DispatcherScript.Effect] in
      await rig.script.set(.number(1)) { $0.isSlowToAnswer = true }
      for number in 1...20 {
        await rig.send(
          #"{"id":"\#(number)","args":{"for_s":\#(number)}}"#, to: "identify", of: Self.one(1),
          dispatcher: dispatcher)
      }
      await rig.pass(.seconds(30))
      return await rig.script.effects
    }
    #expect(effects.count == 20, "seed \(seed)")
    #expect(effects.map(\.intent) == (1...20).map { .device(.identify(seconds: $0)) }, "seed \(seed)")
    for (one, next) in zip(effects, effects.dropFirst()) {
      #expect(next.time - one.time >= .milliseconds(50), "seed \(seed)")
    }
  }

  // The trail.

  @Test
  func
    `who asked is on record with what came of it: done, refused before acceptance, and of a group each member`()
    throws
  {
    let rig = try Self.rig()
    let trail = try rig.run { dispatcher -> [AuditEntry] in
      let requests: [(String, String, CommandTarget)] = [
        ("reset", "{}", Self.one(1)), ("raw", #"{"confirm":"x"}"#, Self.one(1)),
        ("reset", "{}", .group("east")),
      ]
      for (verb, arguments, target) in requests {
        await rig.send(
          #"{"id":"\#(verb)","args":\#(arguments)}"#, to: verb, of: target, dispatcher: dispatcher
        ) {
          $0.properties.user = [.init("user", "ada")]
          $0.properties.responseTopic = "ada/answers"
        }
      }
      await rig.pass(.seconds(10))
      return (try? await rig.store.audit.entries(limit: 100)) ?? []
    }
    #expect(trail.allSatisfy { $0.sender == [UserProperty("user", "ada")] })
    let found = trail.map {
      "\($0.verb) \($0.id) \($0.isRefusal) \($0.end?.stage ?? "-") \($0.end?.code ?? "-")"
    }
    #expect(
      found.sorted() == [
        "raw raw true failed denied", "reset reset false done -", "reset reset false done -",
        "reset reset.\(BoardID.number(1)) false done -", "reset reset.\(BoardID.number(2)) false done -",
      ])
    #expect(trail.first { $0.isRefusal }?.arguments == Array(#"{"confirm":"x"}"#.utf8))
    #expect(trail.filter { $0.responseTopic == "ada/answers" }.count == 3)
  }

  @Test
  func `F216 the end of each accepted command is in the history, without what it read, and a refusal is not`()
    throws
  {
    let rig = try Self.rig()
    let history = try rig.run { dispatcher -> [HistoryEntry] in
      for (verb, arguments, target) in [
        ("reset", "{}", Self.one(1)), ("raw", #"{"confirm":"x"}"#, Self.one(1)),
      ] as [(String, String, CommandTarget)] {
        await rig.send(
          #"{"id":"\#(verb)","args":\#(arguments)}"#, to: verb, of: target, dispatcher: dispatcher
        ) { $0.properties.responseTopic = "ada/answers" }
      }
      await rig.pass(.seconds(10))
      return (try? await rig.store.history.latest(limit: 100).entries) ?? []
    }
    #expect(history.map(\.kind) == ["command"] && history.map(\.board) == [.number(1)])
    let document = try #require(history.first.flatMap { try StrictJSON.parse($0.document).object })
    #expect(document["verb"] == "reset" && document["event_type"] == "done" && document["data"] == nil)
  }

  @Test
  func `F134 a final answer is said although it cannot be written down, and so is a refusal for that reason`()
    throws
  {
    let rig = try Self.rig()
    let events = try rig.run { dispatcher -> [FleetEvent] in
      await rig.script.set(.number(1)) { $0.takes = .seconds(5) }
      await rig.send(#"{"id":"one","args":{}}"#, to: "reset", of: Self.one(1), dispatcher: dispatcher)
      await rig.pass(.seconds(2))
      await rig.store.rehearse(.full)
      await rig.send(#"{"id":"two","args":{}}"#, to: "reset", of: Self.one(2), dispatcher: dispatcher)
      await rig.pass(.seconds(10))
      return await rig.script.events
    }
    let final = events.compactMap { event -> String? in
      guard case .reply(let reply) = event, case .final(let outcome, _) = reply.stage else { return nil }
      if case .done = outcome { return "\(reply.id) done" }
      if case .failed(let failure) = outcome { return "\(reply.id) \(failure.code.rawValue)" }
      return "\(reply.id) unknown"
    }
    #expect(final.sorted() == ["one done", "two internal"])
  }
}
