import FleetModel
import Testing

@testable import Fleet

@Suite struct BatchProgressTests {
  private static let failure = CommandOutcome.failed(CommandFailure(.boardError, "it stayed silent"))
  private static let done = CommandOutcome.done(evidence: .response, data: ["n": 1])

  private static func batch(_ count: Int = 3, continues: Bool = false) -> BatchProgress {
    BatchProgress(
      BatchCommand(
        (1...count).map { .init(verb: "identify", intent: .device(.identify(seconds: $0))) },
        continuesAfterFailure: continues))
  }

  private static func stages(_ progress: BatchProgress) -> [String] {
    (progress.data["results"]?.array ?? []).compactMap { $0.object?["stage"]?.string }
  }

  @Test func `all done is done, by the weakest of what proved it`() {
    var progress = Self.batch()
    for (step, evidence) in [Evidence.readback, .linkWrite, .response].enumerated() {
      #expect(progress.next == step)
      progress.begin(step)
      #expect(progress.isRunning)
      progress.ended(step, .done(evidence: evidence, data: [:]))
    }
    #expect(progress.next == nil && progress.outcome == .done(evidence: .linkWrite, data: [:]))
    #expect(Self.stages(progress) == ["done", "done", "done"] && progress.percent() == 100)
  }

  @Test(arguments: 0...2)
  func `what fails ends it, and what is behind is skipped`(at failing: Int) {
    var progress = Self.batch()
    while let step = progress.next { progress.ended(step, step == failing ? Self.failure : Self.done) }
    let expected = Array(repeating: "done", count: failing) + ["failed"]
    #expect(Self.stages(progress) == expected + Array(repeating: "skipped", count: 2 - failing))
    #expect(
      progress.outcome
        == .failed(
          CommandFailure(
            .boardError, "commands[\(failing)] (identify): it stayed silent; \(failing) of 3 done")))
  }

  @Test(arguments: 0...2)
  func `where it is to go on, all others are done`(at failing: Int) {
    var progress = Self.batch(continues: true)
    while let step = progress.next { progress.ended(step, step == failing ? Self.failure : Self.done) }
    #expect(Self.stages(progress).count { $0 == "done" } == 2)
    guard case .failed(let failure) = progress.outcome else {
      Issue.record("\(progress.outcome)")
      return
    }
    #expect(failure.code == .boardError && failure.message.hasSuffix("2 of 3 done"))
  }

  @Test func `the first that failed gives the code, whatever else is unknown`() {
    var progress = Self.batch(continues: true)
    progress.ended(0, .unknown(message: "the link went"))
    progress.ended(1, Self.failure)
    progress.ended(2, .failed(CommandFailure(.unsupported, "x")))
    guard case .failed(let failure) = progress.outcome else {
      Issue.record("\(progress.outcome)")
      return
    }
    #expect(failure.code == .boardError)
  }

  @Test func `one that is unknown makes the whole unknown where none failed`() {
    var progress = Self.batch()
    progress.ended(0, .unknown(message: "the link went"))
    #expect(progress.outcome == .unknown(message: "commands[0] (identify): the link went; 0 of 3 done"))
    #expect(Self.stages(progress) == ["unknown", "skipped", "skipped"])
  }

  @Test func `one that may not begin takes the rest along, also where failures do not count`() {
    var progress = Self.batch(continues: true)
    progress.ended(0, Self.done)
    progress.ended(1, .failed(.cancelled))
    #expect(Self.stages(progress) == ["done", "skipped", "skipped"])
    #expect(progress.outcome == .failed(CommandFailure(.expired, "cancelled; 1 of 3 done")))
  }

  /// Where a restart finds it, and what is told then.
  private static let restarts: [(Int, Bool, [String])] = [
    (0, true, ["unknown", "skipped", "skipped"]), (1, false, ["done", "skipped", "skipped"]),
    (1, true, ["done", "unknown", "skipped"]), (2, true, ["done", "done", "unknown"]),
    (3, false, ["done", "done", "done"]),
  ]

  @Test(arguments: restarts)
  func `F182 a restart tells what is known: done, unknown for what was under way, skipped behind it`(
    done: Int, isRunning: Bool, expected: [String]
  ) throws {
    var progress = Self.batch()
    for step in 0..<done { progress.ended(step, Self.done) }
    if isRunning { progress.begin(done) }
    var restored = try #require(BatchProgress(stored: ["data": .object(progress.data)]))
    #expect(restored.data == progress.data)
    restored.restarted()
    #expect(Self.stages(restored) == expected)
    switch restored.outcome {
    case .done: #expect(done == 3)
    case .unknown: #expect(isRunning)
    case .failed(let failure): #expect(done < 3 && !isRunning && failure.code == .internal)
    }
    guard done > 0 else { return }
    #expect(restored.data["results"]?.array?.first?.object?["data"] == ["n": 1], "answers are kept")
  }

  @Test func `F182 what failed before a restart is told with its code`() throws {
    var progress = Self.batch(continues: true)
    progress.ended(0, Self.failure)
    progress.begin(1)
    var restored = try #require(BatchProgress(stored: ["data": .object(progress.data)]))
    restored.restarted()
    guard case .failed(let failure) = restored.outcome else {
      Issue.record("\(restored.outcome)")
      return
    }
    #expect(failure.code == .boardError && Self.stages(restored) == ["failed", "unknown", "skipped"])
  }

  @Test func `a reply without results is none of a batch that was begun`() {
    #expect(BatchProgress(stored: ["stage": "sent"]) == nil)
    #expect(BatchProgress(stored: ["data": ["results": []]]) == nil)
  }

  @Test func `answers that are too long together are left out, the longest first, and marked`() throws {
    var progress = Self.batch(16)
    let long = JSONValue.string(String(repeating: "x", count: 20_000))
    for step in 0..<16 {
      let data: JSONObject = [2, 5, 9, 11].contains(step) ? ["text": long] : ["n": 1]
      progress.ended(step, .done(evidence: .response, data: data))
    }
    let results = try #require(progress.data["results"]?.array).compactMap(\.object)
    let marked = results.indices.filter { results[$0]["truncated"] == true }
    #expect(marked.count == 2 && Set(marked).isSubset(of: [2, 5, 9, 11]))
    #expect(marked.allSatisfy { results[$0]["data"] == nil && results[$0]["stage"] == "done" })
    #expect(results[0]["data"] == ["n": 1] && results.count { $0["data"] != nil } == 14)
    #expect(JSONWriter.render(progress.data).count < 60 * 1_024)
  }

  @Test func `percent counts what is over, and a share of what runs`() {
    var progress = Self.batch(4)
    progress.ended(0, Self.done)
    progress.begin(1)
    #expect(progress.percent() == 25 && progress.percent(0.5) == 37.5)
  }
}
