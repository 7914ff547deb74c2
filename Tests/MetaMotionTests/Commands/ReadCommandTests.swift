import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct ReadCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var what: String
    var selectors: JSONObject = [:]
    var dialogue: [(question: String, answer: String)]
    var data: JSONObject
    var testDescription: String { "\(what) \(selectors)" }
  }

  static let cases: [Case] = [
    Case(
      what: "battery", dialogue: [("118c", "118c633410")],
      data: ["ts_ms": 1_763_671_234_000, "battery_pct": 99, "battery_mv": 4_148]),
    Case(what: "switch", dialogue: [("0181", "018101")], data: ["ts_ms": 1_763_671_234_000, "pressed": 1]),
    Case(
      what: "power-status", dialogue: [("1191", "119100")],
      data: ["ts_ms": 1_763_671_234_000, "power_present": 0]),
    Case(
      what: "charge-status", dialogue: [("1192", "119201")],
      data: ["ts_ms": 1_763_671_234_000, "charge_active": 1]),
    Case(
      what: "temperature", dialogue: [("048100", "048100ac00")],
      data: ["ts_ms": 1_763_671_234_000, "temperature_c": .number(21.5), "source": "die", "channel": 0]),
    Case(
      what: "temperature", selectors: ["source": "thermistor"], dialogue: [("048101", "048101b000")],
      data: ["ts_ms": 1_763_671_234_000, "temperature_c": .number(22), "source": "thermistor", "channel": 1]),
    Case(
      what: "temperature", selectors: ["source": "die", "channel": 1], dialogue: [("048101", "048101b000")],
      data: ["ts_ms": 1_763_671_234_000, "temperature_c": .number(22), "source": "thermistor", "channel": 1]),
    Case(
      what: "mac", dialogue: [("118b", "118b01077b528fc9e8")],
      data: ["address": "E8:C9:8F:52:7B:07", "address_type": "random-static"]),
    Case(what: "mac", dialogue: [("118b", "118b077b528fc9e8")], data: ["address": "E8:C9:8F:52:7B:07"]),
    Case(
      what: "device", dialogue: [],
      data: [
        "model_id": "8", "serial": "055B9E", "hw": "0.4", "fw": "1.7.3", "manufacturer": "MbientLab Inc",
      ]),
    Case(
      what: "module-info", selectors: ["module": "logging"], dialogue: [("0b80", "0b800003080000fb030002")],
      data: [
        "modules": [
          "logging": [
            "id": 11, "present": true, "implementation": 0, "revision": 3, "extra": "080000fb030002",
          ]
        ]
      ]),
    Case(
      what: "module-info", selectors: ["module": "humidity"], dialogue: [("1680", "1680")],
      data: ["modules": ["humidity": ["id": 22, "present": false]]]),
    Case(
      what: "settings",
      dialogue: [
        ("1181", "11814d65746157656172"), ("1183", "118300"),
        ("1182", "11829c020000"), ("1189", "1189060018000000f401"), ("1187", "118703"),
        ("119c", "119c01"), ("119d", "119d00"), ("119401", "119401000605040302c1"),
        ("119402", "119402000000000000" + "00"),
      ],
      data: [
        "name": "MetaWear", "tx_dbm": 0, "advertising": ["interval_ms": .number(417.5), "timeout_s": 0],
        "connection": [
          "min_ms": .number(7.5), "max_ms": .number(30), "latency": 0, "supervision_ms": .number(5_000),
        ], "scan_response": "03", "regulator_3v": true,
        "force_1m_phy": false, "whitelist": ["addresses": ["C1:02:03:04:05:06"]],
      ]),
    Case(
      what: "flash-health", dialogue: [("fe93", "fe93d20400000300020001000000" + "0500")],
      data: [
        "pages_clean": 1_234, "pages_1_3": 3, "pages_4_6": 2, "pages_7_8": 1, "pages_lost": 0,
        "pages_unreadable": 5,
      ]),
    Case(what: "log-length", dialogue: [("0b85", "0b859e010000")], data: ["entries": 414]),
    Case(
      what: "log-time", dialogue: [("0b84", "0b841504000005")],
      data: ["tick": 1_045, "reset_uid": 5, "boot_ms": 1_763_671_232_469]),
    Case(
      what: "led",
      dialogue: [
        ("028300", "028300"), ("028301", "02830102 1f00 0000 3200 0000 f401 0000 ff"), ("028302", "028302"),
        ("0281", "028101"),
      ],
      data: [
        "channels": [
          "red": [
            "high": 31, "low": 0, "rise_ms": 0, "high_ms": 50, "fall_ms": 0, "period_ms": 500, "delay_ms": 0,
            "repeat": 0,
          ]
        ], "playing": true,
      ]),
    Case(
      what: "reset-cause", dialogue: [("fe8b", "fe8b04000000")],
      data: ["cause": "software", "hex": "04000000"]),
    Case(
      what: "stack", dialogue: [("fe89", "fe8900940c")], data: ["free_bytes": 3_220, "assertion": false]),
    Case(
      what: "queue-usage", dialogue: [("fe8a", "fe8a030201001001010000001b001e")],
      data: ["hex": "030201001001010000001b001e"]),
    Case(what: "debug-key", dialogue: [("fe84", "fe84efbeadde")], data: ["hex": "efbeadde"]),
  ]

  @Test(arguments: cases)
  func `answers as the contract says`(reading: Case) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(read: reading.what, reading.selectors)
    for (question, answer) in reading.dialogue {
      try await session.link.expect(bytes(question), answer: bytes(answer))
    }
    #expect(await outcome == .done(evidence: .response, data: reading.data))
    try await session.link.expectNothing()
  }

  @Test func `all modules are asked anew`() async throws {
    let board = TestBoard.metaMotionS
    let session = try await DriverSession.interviewed(board)
    async let outcome = session.perform(read: "module-info")
    for module in Module.allCases {
      try await session.link.expect([module.rawValue, 0x80], answer: board.replies[module] ?? [])
    }
    guard case .done(_, let data) = await outcome else {
      Issue.record("not done")
      return
    }
    #expect(data["modules"]?.object?.keys == Module.allCases.map(\.name))
  }

  @Test(
    arguments: [
      ("rssi", [:]), ("humidity", [:]), ("", [:]), ("temperature", ["channel": 3]),
      ("temperature", ["channel": -1]), ("temperature", ["source": "bmp280"]),
    ] as [(String, JSONObject)])
  func `what the board cannot tell is unsupported`(what: String, selectors: JSONObject) async throws {
    let session = try await DriverSession.interviewed(.metaMotionRL)
    #expect(await failure(session.perform(read: what, selectors))?.code == .unsupported)
    try await session.link.expectNothing()
  }

  @Test
  func `F130 a thermistor without pins is not asked, by name or by channel; with pins it is set up first`()
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    for selectors: JSONObject in [
      ["source": "external"], ["channel": 2], ["source": "external", "data_pin": 0],
    ] {
      #expect(await failure(session.perform(read: "temperature", selectors))?.code == .invalid)
    }
    try await session.link.expectNothing()
    async let outcome = session.perform(
      read: "temperature", ["channel": 2, "data_pin": 0, "pulldown_pin": 1])
    try await session.link.expect(bytes("040202000100"))
    try await session.link.expect(bytes("048202"), answer: bytes("048202000100"))
    try await session.link.expect(bytes("048102"), answer: bytes("048102b000"))
    guard case .done(_, let data) = await outcome else {
      Issue.record("not done")
      return
    }
    #expect(data["temperature_c"] == .number(22))
  }

  @Test(
    arguments: [("mac", "11800001"), ("battery", "11800002"), ("stack", "fe800001"), ("log-length", "0b80")])
  func `revisions gate readings`(what: String, module: String) async throws {
    let session = try await DriverSession.interviewed(.metaMotionR.with(module))
    #expect(await failure(session.perform(read: what))?.code == .unsupported)
  }

  @Test func `F28 silence is the board's fault, but for what old firmware does not know`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    for (what, question, code) in [
      ("log-length", "0b85", CommandFailure.Code.boardError), ("reset-cause", "fe8b", .unsupported),
    ] {
      async let outcome = session.perform(read: what)
      for _ in 0..<2 {
        try await session.link.expect(bytes(question))
        await session.advance(by: .seconds(5))
      }
      if code == .unsupported {
        try await session.link.expect(bytes("0b84"), answer: TestBoard.metaMotionS.clock)
      }
      #expect(await failure(outcome)?.code == code)
    }
  }

  /// A session that found out that the firmware does not know the cause of its reset.
  private func withoutResetCause(isAlive: Bool = true) async throws -> DriverSession {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(read: "reset-cause")
    for _ in 0..<2 {
      try await session.link.expect(bytes("fe8b"))
      await session.advance(by: .seconds(5))
    }
    if isAlive {
      try await session.link.expect(bytes("0b84"), answer: TestBoard.metaMotionS.clock)
    } else {
      try await session.link.expect(bytes("0b84"))
      await session.advance(by: .seconds(1))
    }
    #expect(await failure(outcome)?.code == .unsupported)
    return session
  }

  @Test func `F278 what firmware never answers is refused at once, until the board was reset`() async throws {
    let session = try await withoutResetCause()
    #expect(await failure(session.perform(read: "reset-cause"))?.code == .unsupported)
    try await session.link.expectNothing()
    let memory = ProgramMemory(await session.programMemory)
    #expect(memory.unanswered == ["reset-cause"])
    #expect(memory.valid(for: memory.origin, isReset: false) == memory)
    #expect(memory.valid(for: memory.origin, isReset: true).isEmpty)
    #expect(memory.valid(for: ProgramMemory.Origin(firmware: "9"), isReset: false).isEmpty)
  }

  @Test func `F278 a board that answers nothing at all is asked again`() async throws {
    let session = try await withoutResetCause(isAlive: false)
    async let again = session.perform(read: "reset-cause")
    try await session.link.expect(bytes("fe8b"), answer: bytes("fe8b04000000"))
    guard case .done = await again else {
      Issue.record("it was not asked")
      return
    }
  }

  @Test func `a link that ends after the question leaves the outcome unknown`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(read: "battery")
    try await session.link.expect(bytes("118c"))
    await session.link.end(because: LinkFailure(.linkLost, "out of range"))
    guard case .unknown = await outcome else {
      Issue.record("not unknown")
      return
    }
  }

  private func failure(_ outcome: CommandOutcome) -> CommandFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }
}
