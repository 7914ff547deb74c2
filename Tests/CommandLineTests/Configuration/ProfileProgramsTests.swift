import FleetModel
import Testing

@testable import metafleet

@Suite struct ProfileProgramsTests {
  @Test func `chains, timers and events are read by the rules of their verbs`() {
    let result = read(
      """
      profiles:
        p:
          process:
            presses: { from: switch, chain: [counter, { comparator: { value: 3, op: ">=" } }], to: [] }
            calm: { from: acceleration, rate_hz: 50, chain: [rms, { average: 16 }], to: [] }
          timers:
            minute: { period_ms: 60000, start: false, action: { verb: read, args: { what: battery } } }
          events:
            hello: { source: "processor:presses", action: [{ verb: haptic, args: { pulse_ms: 20 } }] }
      """)
    #expect(result.problems == [])
    let program = result.configuration.profiles["p"]?.program.program
    #expect(
      program?.chains["presses"]
        == Chain(
          from: "switch",
          [
            ChainStep("counter", ["size": 4]),
            ChainStep(
              "comparator", ["value": 3, "op": ">=", "mode": "absolute"], units: ["value": ""]),
          ], outputs: []))
    #expect(program?.chains["calm"]?.configuration == ["rate_hz": 50])
    #expect(program?.timers["minute"]?.isStarted == false)
    #expect(program?.timers["minute"]?.actions.count == 1)
    #expect(program?.events["hello"]?.source == .chain("presses"))
  }

  @Test func `an heir changes one key of what it inherits`() {
    let result = read(
      """
      profiles:
        heir: { extends: base, timers: { minute: { period_ms: 1000 } } }
        base: { timers: { minute: { period_ms: 60000, immediate: true } } }
      """)
    #expect(result.problems == [])
    let timer = result.configuration.profiles["heir"]?.program.program.timers["minute"]
    #expect(timer == BoardProgram.Timer(periodMilliseconds: 1000, isImmediate: true))
  }

  @Test(
    arguments: [
      ("timers: { minute: {} }", "timers.minute", "period_ms"),
      ("timers: { Minute: { period_ms: 5 } }", "timers.Minute", "name"),
      ("timers: { minute: { period_ms: soon } }", "timers.minute", "period_ms"),
      ("timers: [minute]", "timers", "mapping"),
      ("process: { acceleration: { from: switch, chain: [counter] } }", "process.acceleration", "stream"),
      ("process: { a: { from: switch, chain: [spin] } }", "process.a", "counter"),
      ("process: { a: { from: nowhere, chain: [counter], to: [] } }", "process.a", "nowhere"),
      ("events: { a: { source: doorbell, action: { verb: reset } } }", "events.a", "button-press"),
      ("events: { a: { source: \"timer:t\", action: { verb: reset } } }", "events.a", "no timer \"t\""),
      (
        "events: { a: { source: button, action: { verb: timer-start, args: { name: t } } } }", "events.a",
        "no timer \"t\""
      ),
    ])
  func `what no board could do is an error where it stands`(_ text: String, _ place: String, _ words: String)
  {
    let result = read("profiles: { p: { \(text) } }")
    let errors = result.problems.filter { $0.severity == .error }
    #expect(errors.count == 1 && errors.first?.path == "profiles.p.\(place)", "\(result.problems)")
    #expect(errors.first?.text.contains(words) == true, "\(result.problems)")
  }

  @Test func `chains stream and log`() {
    let result = read(
      "profiles: { p: { process: { a: { from: switch, chain: [counter], to: [stream, log] } } } }")
    #expect(result.problems == [])
    #expect(result.configuration.profiles["p"]?.program.program.logs.keys.sorted() == ["a"])
  }
}
