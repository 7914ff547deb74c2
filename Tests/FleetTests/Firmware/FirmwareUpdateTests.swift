import BoardKit
import FleetModel
import Storage
import Testing
import VirtualTime

@testable import Fleet

/// A board that gets other firmware, from the command to its answer, with everything that goes wrong on the way.
@Suite(.timeLimit(.minutes(20)))
struct FirmwareUpdateTests {
  private typealias Rig = SupervisorRig

  /// What came of a command, and what was published meanwhile.
  private struct Told: Sendable {
    var outcome: CommandOutcome
    /// Types of the events of firmware.
    var events: [String]
    /// Stages of the document, without repetitions.
    var stages: [String]
    /// Phases of the link, without repetitions.
    var phases: [LinkPhase]
    /// Whether something of it is still on disk.
    var isKept: Bool

    var failure: CommandFailure? { if case .failed(let failure) = outcome { failure } else { nil } }
    var data: JSONObject? { if case .done(_, let data) = outcome { data } else { nil } }
  }

  private static func order(
    _ rig: Rig, _ order: FirmwareOrder = FirmwareOrder(), sent: Bool = true
  ) async -> CommandOutcome {
    await perform(.firmware(.update(order)), rig, CommandProgress(sent: { sent }))
  }

  private static func perform(
    _ intent: BoardIntent, _ rig: Rig, _ stages: CommandProgress = .silent
  ) async -> CommandOutcome {
    await rig.board.perform(intent, expires: rig.world.now + .seconds(300), stages)
  }

  private static func told(_ outcome: CommandOutcome, _ rig: Rig) async -> Told {
    await rig.pass(.seconds(2))
    var stages: [String] = []
    for case .firmware(let report) in await rig.log.events.map(\.event)
    where stages.last != report.progress.stage.rawValue {
      stages.append(report.progress.stage.rawValue)
    }
    var phases: [LinkPhase] = []
    for state in await rig.log.states where phases.last != state.link { phases.append(state.link) }
    let job = try? await rig.store.firmware.job(of: rig.board.board)
    return await Told(
      outcome: outcome, events: rig.log.types(of: .firmware), stages: stages, phases: phases,
      isKept: job ?? nil != nil)
  }

  /// Plays an update of a board that streams, to the answer.
  private static func update(
    _ firmware: ToyFirmware, _ wanted: FirmwareOrder = FirmwareOrder()
  ) throws -> Told {
    let told = try Rig.play(firmware: firmware) { rig in
      await rig.streams()
      return await Self.told(Self.order(rig, wanted), rig)
    }
    return try #require(told)
  }

  @Test func `F53 a board gets firmware, says so itself, and streams as before`() throws {
    let firmware = ToyFirmware()
    let played = try Rig.play(firmware: firmware) { rig in
      await rig.streams()
      let told = await Self.told(Self.order(rig), rig)
      await rig.until { $0.link == .streaming }
      return (told, await rig.radio.removals.count)
    }
    let (told, removals) = try #require(played)
    #expect(told.data?["from"] == "1" && told.data?["to"] == "2" && told.data?["attempts"] == 1)
    #expect(told.data?["bootloader_version"] == "0.5")
    #expect(told.events.filter { $0 != "available" } == ["started", "updated"])
    #expect(
      Array(told.stages.suffix(5)) == ["fetching", "entering-bootloader", "sending", "verifying", "idle"])
    #expect(told.phases.contains(.updating) && !told.isKept)
    #expect(firmware.now.windows == [10] && firmware.version == "2")
    // Once when the application left, once when the bootloader did: names and objects of the other are gone.
    #expect(removals == 2)
  }

  @Test func `F52 two transfers that break off are made anew`() throws {
    let broken = TransferFailure(.again, "the link ended")
    let firmware = ToyFirmware { $0.failures = [broken, TransferFailure(.slower, "too fast")] }
    let told = try Self.update(firmware)
    #expect(told.data?["attempts"] == 3)
    #expect(firmware.now.windows == [10, 10, 4])
  }

  @Test func `F52 after three the command fails, and the board is rescued ten minutes later`() throws {
    let broken = TransferFailure(.again, "the link ended")
    let firmware = ToyFirmware { $0.failures = [broken, broken, broken] }
    let played = try Rig.play(firmware: firmware) { rig in
      await rig.streams()
      let told = await Self.told(Self.order(rig), rig)
      let availability = await rig.log.availability.last?.0
      await rig.pass(.seconds(700))
      return await (told, availability, rig.log.types(of: .firmware), rig.board.state.link)
    }
    let (told, availability, events, link) = try #require(played)
    #expect(told.failure?.code == .boardError && told.isKept)
    #expect(told.failure?.message.contains("without an application") == true)
    #expect(told.stages.last == "rescuing" && availability == .bootloader && told.phases.last == .bootloader)
    #expect(events.filter { $0 != "available" } == ["started", "bootloader", "rescued"])
    #expect(link == .streaming && firmware.now.windows.count == 4)
  }

  @Test func `F53 a board that returns with the old firmware is no success`() throws {
    let told = try Self.update(ToyFirmware { $0.returnsAs = "1" })
    #expect(told.failure?.code == .boardError && !told.isKept)
    #expect(told.stages.last == "failed")
  }

  @Test func `D17 a board that comes back in its bootloader gets the image again`() throws {
    let told = try Self.update(ToyFirmware { $0.lostActivations = 1 })
    #expect(told.data?["attempts"] == 2)
  }

  @Test func `D10 a board that does not enter its bootloader is told three times, and keeps what it has`()
    throws
  {
    let deaf = ToyFirmware { $0.ignoredJumps = 2 }
    #expect(try Self.update(deaf).data?["to"] == "2")
    let told = try Self.update(ToyFirmware { $0.ignoredJumps = 3 })
    #expect(told.failure?.code == .boardError && told.events.last == "failed" && !told.isKept)
  }

  @Test func `F51 a board with a low battery is not touched`() throws {
    let firmware = ToyFirmware { $0.battery = 49 }
    let told = try Self.update(firmware)
    #expect(told.failure?.code == .lowBattery && !firmware.isInBootloader)
    #expect(!told.phases.contains(.updating) && !told.isKept)
  }

  @Test func `F54 what is no package is refused before the board is touched`() throws {
    let firmware = ToyFirmware()
    let told = try Self.update(firmware, FirmwareOrder(file: "bad.zip"))
    #expect(told.failure == .invalid("it is no package") && !firmware.isInBootloader)
  }

  @Test func `D11 a bootloader that is too old is left, and the board has what it had`() throws {
    let firmware = ToyFirmware { $0.refusal = CommandFailure(.unsupported, "no way leads there") }
    let told = try Self.update(firmware)
    #expect(told.failure == CommandFailure(.unsupported, "no way leads there"))
    #expect(firmware.now.leaves == 1 && firmware.now.windows.isEmpty && firmware.version == "1")
  }

  @Test func `D11 bootloaders are installed before, where that is allowed`() throws {
    let firmware = ToyFirmware { $0.needed = 2 }
    #expect(try Self.update(firmware).failure?.code == .unsupported)
    let told = try Self.update(firmware, FirmwareOrder(allowsBootloader: true))
    #expect(told.data?["to"] == "2" && firmware.now.windows.count == 3)
  }

  @Test func `F271 a board that answers with another serial number in its bootloader is left alone`() throws {
    let firmware = ToyFirmware()
    let played = try Rig.play(firmware: firmware) { rig in
      await rig.streams()
      async let outcome = Self.order(rig)
      while !firmware.isInBootloader { await rig.pass(.milliseconds(50)) }
      firmware.change { $0.serial = "S2" }
      return await Self.told(outcome, rig)
    }
    let told = try #require(played)
    #expect(firmware.now.windows.isEmpty && firmware.now.leaves == 0)
    guard case .unknown = told.outcome else {
      Issue.record("\(told.outcome)")
      return
    }
  }

  @Test func `F271 a bootloader at the next address is the board's, if it says its serial number`() throws {
    let firmware = ToyFirmware()
    let played = try Rig.play(isHeard: false, firmware: firmware) { rig in
      await rig.hear(rig.board)
      await rig.streams()
      async let outcome = Self.order(rig)
      while !firmware.isInBootloader { await rig.pass(.milliseconds(50)) }
      await rig.pass(.seconds(5))
      await rig.scheduler.advertised(rig.board.board, by: Rig.adapter, rssi: -60)
      _ = await UpdateEffects.heard(at: .number(2), by: rig.board)
      while firmware.isInBootloader { await rig.pass(.seconds(1)) }
      await rig.pass(.seconds(5))
      await rig.hear(rig.board)
      return await (Self.told(outcome, rig), rig.radio.attempts.map(\.board))
    }
    let (told, attempts) = try #require(played)
    #expect(told.data?["to"] == "2")
    #expect(attempts == [.number(1), .number(2), .number(1)])
  }

  @Test func `F272 an abort before the transfer leaves the board as it was, and behind it is refused`() throws
  {
    let firmware = ToyFirmware()
    let played = try Rig.play(isHeard: false, firmware: firmware) { rig in
      await rig.hear(rig.board)
      await rig.streams()
      async let outcome = Self.order(rig)
      while !firmware.isInBootloader { await rig.pass(.milliseconds(50)) }
      await rig.pass(.seconds(5))
      let abort = await Self.perform(.firmware(.abort), rig)
      await rig.hear(rig.board)
      while firmware.isInBootloader { await rig.pass(.seconds(1)) }
      return await (abort, Self.told(outcome, rig), Self.perform(.firmware(.abort), rig))
    }
    let (abort, told, second) = try #require(played)
    #expect(abort == .done(evidence: .response, data: ["aborted": true]))
    #expect(told.failure?.code == .expired && firmware.now.windows.isEmpty && firmware.now.leaves == 1)
    #expect(second == .done(evidence: .response, data: ["aborted": false]))
    let late = try Rig.play(firmware: ToyFirmware()) { rig in
      await rig.streams()
      async let outcome = Self.order(rig)
      while rig.firmware?.now.windows.isEmpty == true { await rig.pass(.milliseconds(50)) }
      let abort = await Self.perform(.firmware(.abort), rig)
      return await (abort, outcome)
    }
    let (refused, done) = try #require(late)
    guard case .failed(let failure) = refused, failure.code == .busy, case .done = done else {
      Issue.record("\(refused) \(done)")
      return
    }
  }

  @Test func `D19 a second command meanwhile is busy, and the first has one end`() throws {
    let played = try Rig.play(firmware: ToyFirmware()) { rig in
      await rig.streams()
      async let first = Self.order(rig)
      while rig.firmware?.now.windows.isEmpty == true { await rig.pass(.milliseconds(50)) }
      let others = [
        await Self.order(rig), await Self.perform(.firmware(.bootloader), rig),
        await Self.perform(.device(.reset), rig),
      ]
      return await (first, others)
    }
    let (first, others) = try #require(played)
    for other in others {
      guard case .failed(let failure) = other, failure.code == .busy else {
        Issue.record("\(other)")
        continue
      }
    }
    guard case .done = first else {
      Issue.record("\(first)")
      return
    }
  }

  @Test func `F273 nothing is sent to a board while that cannot be written to disk`() throws {
    let firmware = ToyFirmware()
    let played = try Rig.play(firmware: firmware) { rig in
      await rig.streams()
      async let outcome = Self.order(rig)
      while !firmware.isInBootloader { await rig.pass(.milliseconds(50)) }
      await rig.store.rehearse(.full)
      await rig.pass(.seconds(60))
      let before = firmware.now.windows
      await rig.store.rehearse(nil)
      return await (before, Self.told(outcome, rig))
    }
    let (before, told) = try #require(played)
    #expect(before.isEmpty && firmware.isInBootloader == false)
    #expect(told.data?["to"] == "2" && told.data?["attempts"] == 1)
  }

  @Test func `F273 a restart in the midst of a transfer goes on, and tells the end by an event`() throws {
    var update = BoardUpdate(
      UpdateTarget(
        version: "2", sum: "5u2", before: "1", serial: "S1",
        recipient: FirmwareRecipient(modelNumber: "1", hardwareRevision: "0.1")), at: .zero)
    _ = update.take(.jumping, at: .zero)
    _ = update.take(.beginning, at: .zero)
    let job = FirmwareJob(
      board: .number(1), document: JSONWriter.render(update.document), time: .at(0))
    let firmware = ToyFirmware { $0.isInBootloader = true }
    let played = try Rig.play(firmware: firmware, job: job) { rig in
      await rig.streams()
      return await Self.told(.unknown(message: ""), rig)
    }
    let told = try #require(played)
    #expect(told.events == ["updated"] && !told.isKept && firmware.version == "2")
    #expect(told.phases.contains(.updating))
  }

  @Test func `F273 a restart before anything was sent leaves the board as it is`() throws {
    var update = BoardUpdate(BoardUpdateTests.target, at: .zero)
    _ = update.take(.jumping, at: .zero)
    let job = FirmwareJob(
      board: .number(1), document: JSONWriter.render(update.document), time: .at(0))
    let firmware = ToyFirmware()
    let played = try Rig.play(firmware: firmware, job: job) { rig in
      await rig.streams()
      return await Self.told(.unknown(message: ""), rig)
    }
    let told = try #require(played)
    #expect(told.events == ["failed"] && !told.isKept && firmware.version == "1")
    #expect(firmware.now.windows.isEmpty)
  }

  @Test func `a board is put into its bootloader, says which one it is, and is sent back by reset`() throws {
    let played = try Rig.play(firmware: ToyFirmware()) { rig in
      await rig.streams()
      let entered = await Self.perform(.firmware(.bootloader), rig)
      await rig.until { $0.link == .bootloader }
      let left = await Self.perform(.device(.reset), rig)
      await rig.until { $0.link == .streaming }
      return (entered, left)
    }
    let (entered, left) = try #require(played)
    #expect(entered == .done(evidence: .response, data: ["bootloader_version": "0.5"]))
    #expect(left == .done(evidence: .readback, data: ["installed_version": "1"]))
  }

  @Test func `D23 a board of which nothing is known gets firmware by what its bootloader says`() throws {
    let firmware = ToyFirmware { $0.isInBootloader = true }
    let played = try Rig.play(firmware: firmware) { rig in
      await rig.until { $0.link == .bootloader }
      await rig.pass(.seconds(60))
      let untouched = firmware.now.windows.isEmpty
      let told = await Self.told(Self.order(rig), rig)
      return (untouched, told)
    }
    let (untouched, told) = try #require(played)
    #expect(untouched)
    #expect(told.data?["to"] == "2" && told.events.contains("rescued"))
  }

  @Test func `D15 a command that must not begin leaves the board as it is`() throws {
    let firmware = ToyFirmware()
    let played = try Rig.play(firmware: firmware) { rig in
      await rig.streams()
      return await Self.told(Self.order(rig, sent: false), rig)
    }
    #expect(try #require(played).failure == .cancelled && !firmware.isInBootloader)
  }
}
