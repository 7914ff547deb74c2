import Dialects
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Jobs across a crash: the process dies after every one of its jobs in turn, and once more after the restart.
@Suite(.timeLimit(.minutes(20)))
struct CommandDispatcherCrashTests {
  private static let east = CommandTarget.group("east")
  private static let count = 3

  /// Lets a job begin in a process that dies after `first` jobs, go on in one that dies after `second`, if that is
  /// given, and end in the last. Returns whether the first process died before it was over.
  private static func play(seed: UInt64, first: Int, second: Int? = nil, pause: Duration = .zero) throws
    -> Bool
  {
    let rig = try DispatcherRig(
      seed: seed, boards: Dictionary(uniqueKeysWithValues: (1...count).map { (.number($0), ["east"]) }))
    var died = false
    let limits = second == nil ? [first, nil] : [first, second, nil]
    for (number, limit) in limits.enumerated() {
      let result = rig.process(dyingAfter: limit) { dispatcher -> Bool in
        await rig.send(
          #"{"id":"job","args":{},"job":{"parallel":2}}"#, to: "reset", of: east, dispatcher: dispatcher)
        await rig.pass(.seconds(5))
        return true
      }
      if number == 0, result == nil { died = true }
      rig.world.run { await rig.pass(pause) }
    }
    try judge(rig, "seed \(seed), dead after \(first) and \(second.map(String.init) ?? "-")")
    return died
  }

  private static func judge(_ rig: DispatcherRig, _ comment: Comment) throws {
    let (effects, replies) = try #require(
      rig.world.run { (await rig.script.effects.map(\.board), await rig.replies) }, comment)
    #expect(Set(effects).count == effects.count, "a member's command ran twice; \(comment)")
    let finals = replies.filter { $0["ok"] != nil }
    let summaries = finals.filter { $0["group"] == "east" }
    #expect(summaries.count == 1, comment)
    var ends: [String: Int] = [:]
    for number in 1...count {
      let own = finals.filter { $0["board"]?.string == BoardID.number(number).description }
      #expect(own.count == 1, "board \(number); \(comment)")
      guard let stage = own.first?["stage"]?.string else { continue }
      ends[stage, default: 0] += 1
      if stage == "failed" { #expect(!effects.contains(.number(number)), comment) }
      if stage == "done" { #expect(effects.contains(.number(number)), comment) }
    }
    let data = summaries.first?["data"]?.object
    for stage in ["done", "failed", "unknown"] {
      #expect(data?[stage]?.integer == Int64(ends[stage] ?? 0), "\(stage); \(comment)")
    }
    #expect(
      data?["total"]?.integer == Int64(count) && data?["pending"] == 0 && data?["skipped"] == 0, comment)
  }

  @Test(arguments: 0..<8)
  func `F82 a job goes on where it was, wherever the process died`(part: Int) throws {
    var jobs = part
    while try Self.play(seed: 1, first: jobs) { jobs += 8 }
    #expect(jobs > 100, "the process died after \(jobs) jobs at last")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `F82 also when it was down until the job had expired`(seed: UInt64) throws {
    var jobs = Int(seed)
    while try Self.play(seed: seed, first: jobs, pause: .seconds(60)) { jobs += 13 }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `F82 also when it dies again while it recovers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 1...10 {
      _ = try Self.play(
        seed: seed, first: Int.random(in: 0...400, using: &random),
        second: Int.random(in: 0...300, using: &random))
    }
  }

  @Test func `F82 a job that was stopped stays stopped`() throws {
    let rig = try DispatcherRig(
      seed: 1, boards: Dictionary(uniqueKeysWithValues: (1...12).map { (.number($0), ["east"]) }))
    _ = rig.process { dispatcher in
      for number in 1...12 {
        await rig.script.set(.number(number)) {
          $0.outcome = (2...6).contains(number) ? .failed(CommandFailure(.boardError, "x")) : $0.outcome
          $0.hangs = number == 1
        }
      }
      await rig.send(
        #"{"id":"job","args":{},"job":{"parallel":2,"abort_fail_pct":50}}"#, to: "reset", of: Self.east,
        dispatcher: dispatcher)
      await DispatcherScript.never()
    }
    let (effects, final) = try rig.run { dispatcher -> (Int, JSONObject?) in
      await rig.pass(.seconds(60))
      return (await rig.script.effects.count, await rig.replies(of: Self.east).last)
    }
    #expect(effects == 6)
    #expect(final?["data"]?.object?["skipped"] == 6 && final?["data"]?.object?["unknown"] == 1)
  }
}
