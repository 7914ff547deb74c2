import FleetModel
import Testing

/// MQTT contract 1.5.
@Suite struct SetupDeclarationTests {
  @Test func `has the grammar of profiles without empty maps`() throws {
    var program = ProgramDeclarations()
    try program.declare(ProgramKey(.timer, "minute"), ["period_ms": 60_000])
    var settings = SettingsDeclaration()
    try settings.declare("advertising", ["interval_ms": 417])
    let setup = SetupDeclaration(
      streams: ["acceleration": StreamRequest(name: "acceleration", configuration: ["rate_hz": 50])],
      program: program, settings: settings)
    #expect(
      setup.document == [
        "stream": ["acceleration": ["rate_hz": 50]],
        "timers": [
          "minute": ["period_ms": 60_000, "repetitions": 0, "immediate": false, "start": true]
        ],
        "settings": ["advertising": ["interval_ms": 417, "timeout_s": 0, "directed": false]],
      ])
    #expect(setup.document.keys == ["stream", "timers", "settings"])
    #expect(SetupDeclaration().document.isEmpty)
  }

  @Test func `whole numbers are the same however they were written`() {
    var (one, other) = (SetupDeclaration(), SetupDeclaration())
    one[SetupKey(.process, "a")] = ["chain": [["average": 4.0]], "depth": 0.5]
    other[SetupKey(.process, "a")] = ["chain": [["average": 4]], "depth": 0.5]
    #expect(one == other)
  }

  @Test func `keys are words and back`() {
    for section in SetupKey.Section.allCases {
      let key = SetupKey(section, "a-b")
      #expect(SetupKey(text: key.text) == key)
      #expect(SetupKey(text: "\(key.text) changed") == key)
    }
    #expect(SetupKey(ProgramKey(.chain, "x")).text == "process/x")
    #expect(SetupKey(ProgramKey(.timer, "x")).text == "timers/x")
    #expect(SetupKey(ProgramKey(.event, "x")).text == "events/x")
    #expect(SetupKey(text: "log") == nil && SetupKey(text: "lamp/x") == nil && SetupKey(text: "") == nil)
  }
}
