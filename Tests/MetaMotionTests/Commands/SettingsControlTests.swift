import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct SettingsControlTests {
  private var settings: BoardSettings {
    var settings = BoardSettings()
    settings.name = "Pump 3"
    settings.transmissionPower = 4
    return settings
  }

  @Test func `every key is read back`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.settings(SettingsCommand(settings)))
    try await session.link.expect(bytes("110150756d702033"))
    try await session.link.expect(bytes("1181"), answer: bytes("118150756d702033"))
    try await session.link.expect(bytes("110304"))
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    #expect(await outcome == .done(evidence: .readback, data: ["name": "Pump 3", "tx_dbm": 4]))
    try await session.link.expectNothing()
  }

  @Test func `another value is the boards fault`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.settings(SettingsCommand(settings)))
    for _ in 0..<2 {
      try await session.link.expect(bytes("110150756d702033"))
      try await session.link.expect(bytes("1181"), answer: bytes("11814d65746157656172"))
    }
    guard case .failed(let failure) = await outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .boardError)
    #expect(failure.message.contains("name"))
  }

  @Test func `silence proves nothing`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    var settings = BoardSettings()
    settings.transmissionPower = -4
    async let outcome = session.perform(.settings(SettingsCommand(settings)))
    try await session.link.expect(each: [bytes("1103fc"), bytes("1183")])
    await session.advance(by: .seconds(1))
    #expect(await outcome == .done(evidence: .linkWrite, data: ["tx_dbm": -4]))
  }

  @Test func `what cannot be read is only written`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    var settings = BoardSettings()
    settings.startsAdvertising = true
    async let outcome = session.perform(.settings(SettingsCommand(settings)))
    try await session.link.expect(bytes("1105"))
    #expect(await outcome == .done(evidence: .linkWrite, data: ["start_advertising": true]))
  }

  @Test func `what the board cannot is refused before anything is written`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionRL)
    var settings = settings
    settings.regulator = true
    guard case .failed(let failure) = await session.perform(.settings(SettingsCommand(settings))) else {

      Issue.record("not failed")
      return
    }
    #expect(failure.code == .unsupported)
    try await session.link.expectNothing()
  }

  // As desired state.

  @Test func `what the board has already is not written again`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(["tx_dbm": 4, "advertising": ["interval_ms": 417]])
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    try await session.link.expect(bytes("1182"), answer: bytes("11829b020000"))
    #expect(
      try await applied.get()
        == SettingsApplied(effective: ["tx_dbm": 4, "advertising": ["interval_ms": 416.875, "timeout_s": 0]]))
    try await session.link.expectNothing()
  }

  @Test func `only the difference is written, and read back`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(["name": "Pump 3", "tx_dbm": 4])
    try await session.link.expect(bytes("1181"), answer: bytes("118150756d702033"))
    try await session.link.expect(bytes("1183"), answer: bytes("118300"))
    try await session.link.expect(bytes("110304"))
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    #expect(
      try await applied.get()
        == SettingsApplied(effective: ["name": "Pump 3", "tx_dbm": 4], written: ["tx_dbm"]))
    try await session.link.expectNothing()
  }

  @Test func `what one board cannot have leaves the rest alone`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionRL)
    async let outcome = session.apply(["regulator_3v": true, "tx_dbm": 4])
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    let applied = try await outcome.get()
    #expect(applied.effective == ["tx_dbm": 4])
    #expect(applied.refused.keys.sorted() == ["regulator_3v"])
    #expect(applied.refused["regulator_3v"]?.code == .unsupported)
  }

  @Test func `a value that the board does not take is its fault, and the others come all the same`()
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.apply(["name": "Pump 3", "tx_dbm": 4])
    try await session.link.expect(bytes("1181"), answer: bytes("118141"))
    for _ in 0..<2 {
      try await session.link.expect(bytes("110150756d702033"))
      try await session.link.expect(bytes("1181"), answer: bytes("118141"))
    }
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    let applied = try await outcome.get()
    #expect(applied.effective == ["tx_dbm": 4] && applied.refused["name"]?.code == .boardError)
  }

  @Test func `F104 a setting that got lost is written once more, and then proved`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.apply(["tx_dbm": 4])
    try await session.link.expect(bytes("1183"), answer: bytes("118300"))
    for onBoard in ["118300", "118304"] {
      try await session.link.expect(bytes("110304"))
      try await session.link.expect(bytes("1183"), answer: bytes(onBoard))
    }
    #expect(try await outcome.get() == SettingsApplied(effective: ["tx_dbm": 4], written: ["tx_dbm"]))
    try await session.link.expectNothing()
  }

  @Test func `F27 what makes the link sturdier is not taken back while the link is in trouble`() async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    let wanted: JSONObject = [
      "connection": ["min_ms": 7.5, "max_ms": 15, "supervision_ms": 6_000], "force_1m_phy": false,
      "tx_dbm": 4,
    ]
    async let applied = session.apply(wanted, usesConservativeParameters: true)
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    #expect(
      try await applied.get()
        == SettingsApplied(effective: ["tx_dbm": 4], exempt: ["connection", "force_1m_phy"]))
    try await session.link.expectNothing()
    async let calm = session.apply(wanted)
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    try await session.link.expect(bytes("1189"), answer: bytes("11892800500000005802"))
    try await session.link.expect(bytes("110906000c0000005802"))
    try await session.link.expect(bytes("1189"), answer: bytes("118906000c0000005802"))
    try await session.link.expect(bytes("119d"), answer: bytes("119d01"))
    try await session.link.expect(bytes("111d00"))
    try await session.link.expect(bytes("119d"), answer: bytes("119d00"))
    #expect(try await calm.get().written == ["connection", "force_1m_phy"])
  }

  @Test func `the board is told to begin when something changed, and once after a reset`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    let wanted: JSONObject = ["tx_dbm": 4, "start_advertising": true]
    async let first = session.apply(wanted)
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    try await session.link.expect(bytes("1105"))
    #expect(try await first.get().written == ["start_advertising"])
    async let again = session.apply(wanted, trusting: ["tx_dbm", "start_advertising"])
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    #expect(try await again.get().written == [])
    async let changed = session.apply(wanted, trusting: ["tx_dbm", "start_advertising"])
    try await session.link.expect(bytes("1183"), answer: bytes("118300"))
    try await session.link.expect(bytes("110304"))
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    try await session.link.expect(bytes("1105"))
    #expect(try await changed.get().written == ["tx_dbm", "start_advertising"])
  }
}

/// `persist`: also in a macro that the board runs at every start.
@Suite(.timeLimit(.minutes(20)))
struct SettingsPersistenceTests {
  /// A board with few slots for macros, so that reading them is short.
  private static let board = TestBoard.metaMotionS.with("0f8000020200")

  private var command: SettingsCommand {
    var settings = BoardSettings()
    settings.transmissionPower = 4
    return SettingsCommand(settings, isPersistent: true)
  }

  private func answerMacros(_ session: DriverSession, _ replies: [String]) async throws {
    for (slot, reply) in replies.enumerated() {
      try await session.link.expect(bytes("0f820\(slot)"), answer: bytes(reply))
    }
  }

  @Test func `is written proved and kept`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.settings(command))
    try await answerMacros(session, ["0f8200ffff", "0f8201ffff"])
    try await session.link.expect(bytes("118c"), answer: bytes("118c633410"))
    try await session.link.expect(bytes("110304"))
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    try await session.link.expect(bytes("0f0201"), answer: bytes("0f0200"))
    try await session.link.expect(each: [bytes("0f03110304"), bytes("0f04")])
    try await session.link.expect(bytes("0f830000"), answer: bytes("0f83110304"))
    #expect(await outcome == .done(evidence: .readback, data: ["tx_dbm": 4]))
    // The same again needs no second macro.
    async let again = session.perform(.settings(command))
    try await answerMacros(session, ["0f82000101", "0f8201ffff"])
    try await session.link.expect(bytes("0f830000"), answer: bytes("0f83110304"))
    try await session.link.expect(bytes("110304"))
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    #expect(await again == .done(evidence: .readback, data: ["tx_dbm": 4]))
    try await session.link.expectNothing()
  }

  @Test func `a board that can die of it, or has no room, is left as it is`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let empty = session.perform(.settings(command))
    try await answerMacros(session, ["0f8200ffff", "0f8201ffff"])
    try await session.link.expect(bytes("118c"), answer: bytes("118c0a3410"))
    guard case .failed(let failure) = await empty else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .lowBattery)
    async let full = session.perform(.settings(command))
    try await answerMacros(session, ["0f82000101", "0f82010003"])
    guard case .failed(let failure) = await full else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .noSlots)
    try await session.link.expectNothing()
  }
}
