import FleetModel
import Testing

/// MQTT contract 4.3.
@Suite struct RolloutVerbsTests {
  private static func request(_ arguments: JSONObject, to target: CommandTarget) -> CommandRequest {
    CommandRequest(
      id: "fw-173", hasSenderID: true, target: target, verb: "firmware-rollout", arguments: arguments,
      mode: .now, expires: Timestamp(milliseconds: 0), issued: nil, arrived: Timestamp(milliseconds: 0),
      payloadHash: 0)
  }

  private static func options(_ change: (inout RolloutOptions) -> Void) -> RolloutOptions {
    var options = RolloutOptions()
    change(&options)
    return options
  }

  private static let cases: [(JSONObject, RolloutOptions, isDryRun: Bool)] = [
    ([:], RolloutOptions(), false), (["dry_run": true], RolloutOptions(), true),
    (
      [
        "canary": 2, "soak": "2h", "ramp": ["per_hour": 10, "factor": 1.5], "parallel": 2,
        "hours": "22:00-05:00", "abort": ["stranded": 0], "timeout": "1h", "retries": 0,
        "allow_bootloader": true, "force": true, "until_ms": 1_763_671_234_000,
      ],
      options {
        ($0.canaries, $0.soak, $0.perHour, $0.growth) = (2, .seconds(7_200), 10, 1.5)
        ($0.parallel, $0.hours, $0.stranded) = (2, [HoursOfDay(start: 1_320, end: 300)], 0)
        ($0.timeout, $0.retries, $0.allowsBootloader) = (.seconds(3_600), 0, true)
        ($0.isForced, $0.until) = (true, Timestamp(milliseconds: 1_763_671_234_000))
      }, false
    ),
    (
      ["canaries": ["E5:A1:C2:D3:F4:B6"], "hours": ["08:00-09:00"], "abort": ["fail_pct": 0]],
      options {
        ($0.namedCanaries, $0.failPercent) = ([BoardID("e5a1c2d3f4b6")!], nil)
        $0.hours = [HoursOfDay(start: 480, end: 540)]
      }, false
    ),
  ]

  @Test(arguments: cases)
  func `a rollout knows its group and its id`(
    arguments: JSONObject, options: RolloutOptions, isDryRun: Bool
  ) throws {
    let all = arguments.merging(["confirm": "pumps", "version": "1.7.3"])
    var wanted = RolloutOrder(version: "1.7.3", options: options, isDryRun: isDryRun)
    (wanted.id, wanted.group) = ("fw-173", "pumps")
    let intent = try Self.request(all, to: .group("pumps")).interpret()
    #expect(intent == .gateway(.rollout(.begin(wanted))))
  }

  private static let refused: [(JSONObject, String)] = [
    (["version": "latest"], "one version"), (["version": "1"], "1.7.3"), (["canary": 0], "canary"),
    (["ramp": ["per_hour": 100]], "max_per_hour"), (["ramp": ["speed": 1]], "speed"),
    (["soak": "soon"], "soak"), (["hours": "late"], "hours"), (["parallel": 0], "parallel"),
    (["abort": ["fail_pct": 101]], "fail_pct"), (["timeout": "1s"], "timeout"), (["confirm": "all"], "pumps"),
  ]

  @Test(arguments: refused)
  func `refuses`(arguments: JSONObject, words: String) throws {
    let all = (["confirm": "pumps", "version": "1.7.3"] as JSONObject).merging(arguments)
    #expect {
      try Self.request(all, to: .group("pumps")).interpret()
    } throws: { error in
      let failure = error as? CommandFailure
      return failure?.code == .invalid && failure?.message.contains(words) == true
    }
  }

  @Test func `no board and no gateway takes one`() {
    for target in [CommandTarget.board(BoardID("e5a1c2d3f4b6")!), .gateway("g")] {
      #expect(throws: CommandFailure.self) {
        try Self.request(["confirm": "g", "version": "1.7.3"], to: target).interpret()
      }
    }
  }

  @Test func `one is paused, resumed and aborted by its id`() throws {
    let arguments: JSONObject = ["rollout": "fw-173"]
    #expect(try intent("rollout-pause", arguments, .gateway) == .gateway(.rollout(.pause(id: "fw-173"))))
    #expect(try intent("rollout-resume", arguments, .gateway) == .gateway(.rollout(.resume(id: "fw-173"))))
    #expect(try intent("rollout-abort", arguments, .gateway) == .gateway(.rollout(.abort(id: "fw-173"))))
    #expect(try intent("rollout-list", [:], .gateway) == .gateway(.rollout(.list)))
    #expect(try refusal("rollout-pause", [:], .gateway)?.code == .invalid)
    #expect(try refusal("rollout-abort", ["rollout": "a b"], .gateway)?.code == .invalid)
  }
}
