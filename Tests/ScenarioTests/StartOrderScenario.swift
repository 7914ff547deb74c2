import Dialects
import FleetModel
import MetaMotion
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet
@testable import SeededFaults

/// A gateway that starts before what it needs is there: it waits for it, says so, and works as soon as it comes.
@Suite(.timeLimit(.minutes(20))) struct StartOrderScenario {
  private static let gateway = "metafleet/gateway/test"

  private static func radio(_ world: SeededWorld) -> SimulatedRadio {
    SimulatedRadio(
      boards: GatewayParts.boards(2, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
  }

  @Test func `F100 without a broker and Bluetooth it says so once it can, and works as each comes`() throws {
    let world = SeededWorld(seed: 1)
    let radio = Self.radio(world)
    let parts = try GatewayParts(
      radio: radio, boards: 2, timekeeper: world, storeExecutor: world, seed: 1)
    let outcome = world.run(atMost: .seconds(1_200)) { () -> [Int]? in
      await parts.broker.setReachable(false)
      await radio.setService(isThere: false)
      return await parts.run { broker -> [Int] in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        try? await world.sleep(for: .seconds(120))
        var counts = [await broker.mark]
        await broker.setReachable(true)
        await broker.message(after: 0) {
          $0.topic == "\(Self.gateway)/availability" && $0.says("\"online\"")
        }
        await broker.message(after: 0) {
          $0.topic == "\(Self.gateway)/event/bluetooth" && $0.says("\"lost\"")
        }
        await broker.message(after: 0) {
          $0.topic == "\(Self.gateway)/health" && $0.says("\"bluetooth_ok\":0")
        }
        for board in Rig.boards(2) { await rig.busIsLost(board, after: 0) }
        let mark = await broker.mark
        await radio.setService(isThere: true)
        await broker.message(after: mark) {
          $0.topic == "\(Self.gateway)/event/bluetooth" && $0.says("\"restored\"")
        }
        for board in Rig.boards(2) { await rig.streams(board, after: mark) }
        await broker.message(after: mark) {
          $0.topic == "\(Self.gateway)/health" && $0.says("\"bluetooth_ok\":1")
        }
        counts.append(await broker.mark)
        return counts
      }
    }
    let counts = try #require(outcome ?? nil)
    #expect(counts[0] == 0 && counts[1] > 0)
  }

  @Test func `F100 with a clock that is not set boards stream all the same, and its setting is told`() throws
  {
    let world = SeededWorld(seed: 1)
    let radio = Self.radio(world)
    let clock = SettableClock(world, showing: Timestamp(milliseconds: 9_000))
    let parts = try GatewayParts(
      radio: radio, boards: 2, timekeeper: clock, storeExecutor: world, seed: 1)
    let outcome = world.run(atMost: .seconds(1_200)) {
      await parts.run { broker -> [String] in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: clock, hand: SimulatedHand(radio: radio))
        let unset = await broker.text { $0.topic == "\(Self.gateway)/event/clock" }
        for board in Rig.boards(2) { await rig.records(board, after: 0) }
        let mark = await broker.mark
        clock.set()
        let synced = await broker.message(after: mark) { $0.topic == "\(Self.gateway)/event/clock" }.text
        let info = await broker.message(after: mark) { $0.topic == "\(Self.gateway)/info" }.text
        for board in Rig.boards(2) { await rig.records(board, after: await broker.mark) }
        return [unset, synced, info]
      }
    }
    let texts = try #require(outcome ?? nil)
    #expect(texts[0].contains("\"unset\"") && texts[0].contains("time server"), "\(texts[0])")
    #expect(texts[1].contains("\"synced\""), "\(texts[1])")
    // When it started is known by then.
    let started = texts[2].firstMatch(of: /"started_ms":([0-9]+)/).flatMap { Int64($0.1) }
    #expect(started.map { Timestamp(milliseconds: $0).isPlausible } == true, "\(texts[2])")
  }

  @Test
  func
    `F262 what was recorded without a clock is dated when it is set, also where the disk is full just then`()
    throws
  {
    let world = SeededWorld(seed: 1)
    let clock = SettableClock(world, showing: Timestamp(milliseconds: 9_000))
    let store = try Store(inMemoryOn: world)
    let parts = GatewayParts(
      radio: Self.radio(world), configuration: try GatewayParts.configuration(boards: 2, seed: 1),
      timekeeper: clock, store: store, storeExecutor: world, seed: 1)
    let outcome = world.run(atMost: .seconds(1_200)) {
      await parts.run { broker -> [HistoryEntry] in
        _ = await broker.text { $0.topic == "\(Self.gateway)/event/clock" }
        // It is in the history once the broker has it and that was noted.
        try? await world.sleep(for: .seconds(10))
        await store.rehearse(.full)
        let mark = await broker.mark
        clock.set()
        await broker.message(after: mark) { $0.topic == "\(Self.gateway)/event/clock" }
        try? await world.sleep(for: .seconds(70))
        await store.rehearse(nil)
        try? await world.sleep(for: .seconds(70))
        return (try? await store.history.latest(limit: 500))?.entries ?? []
      }
    }
    let entries = try #require(outcome ?? nil)
    #expect(entries.filter { $0.kind == "clock" }.count == 2, "\(entries.map(\.kind))")
    #expect(entries.allSatisfy { $0.time.isPlausible })
  }

  @Test
  func `F100 with a full disk it does all that needs none, says so, and stores again once there is room`()
    throws
  {
    let world = SeededWorld(seed: 1)
    let radio = Self.radio(world)
    let store = try Store(inMemoryOn: world)
    let parts = GatewayParts(
      radio: radio, configuration: try GatewayParts.configuration(boards: 2, seed: 1), timekeeper: world,
      store: store, storeExecutor: world, seed: 1)
    let outcome = world.run(atMost: .seconds(1_200)) { () -> Int? in
      await store.rehearse(.full)
      return await parts.run { broker -> Int in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        for board in Rig.boards(2) { await rig.isConnected(board) }
        await broker.message(after: 0) { $0.topic == "\(Self.gateway)/event/storage" && $0.says("\"full\"") }
        await broker.message(after: 0) { $0.topic == "\(Self.gateway)/health" && $0.says("\"storage_ok\":0") }
        let mark = await broker.mark
        await store.rehearse(nil)
        await broker.message(after: mark) {
          $0.topic == "\(Self.gateway)/event/storage" && $0.says("\"recovered\"")
        }
        for board in Rig.boards(2) { await rig.records(board, after: mark) }
        return (try? await store.boards.memories().count) ?? 0
      }
    }
    #expect(try #require(outcome ?? nil) == 2)
  }

  @Test func `F102 how the last run ended is told at once, and stays in info`() throws {
    let world = SeededWorld(seed: 1)
    let crash = CrashReport(.signal, signal: "SIGSEGV", ended: world.now - .seconds(9), count: 3)
    let configuration = try GatewayParts.configuration(boards: 2, seed: 1)
    let parts = GatewayParts(
      radio: Self.radio(world), configuration: configuration, timekeeper: world,
      store: try Store(inMemoryOn: world), storeExecutor: world, seed: 1,
      reload: { () async throws(CommandFailure) in CheckedConfiguration(configuration) }, lastCrash: crash)
    let outcome = world.run {
      await parts.run { broker -> [String] in
        let event = await broker.text {
          $0.topic == "\(Self.gateway)/event/process" && $0.says("\"crashed\"")
        }
        return [event, await broker.text { $0.topic == "\(Self.gateway)/info" }]
      }
    }
    let texts = try #require(outcome ?? nil)
    let event = try StrictJSON.parse(Array(texts[0].utf8), limits: .trusting).object ?? [:]
    #expect(event["signal"] == "SIGSEGV" && event["reason"] == "signal" && event["count"] == 3)
    #expect(event["message"]?.string == crash.sentence)
    let info = try StrictJSON.parse(Array(texts[1].utf8), limits: .trusting).object ?? [:]
    #expect(info["last_crash"]?.object.map { CrashDocument(json: $0).report } == crash)
  }

  @Test func `F102 deaths early in the start, one after the other, leave the state as it was`() throws {
    let world = SeededWorld(seed: 1)
    let (store, broker) = (try Store(inMemoryOn: world), RecordingBroker(on: world))
    let radio = SeededRadio(
      world: world, boards: 2, seed: 1, ledger: Ledger(world: world, invariants: []))
    let configuration = try GatewayParts.configuration(boards: 2, seed: 1)
    @Sendable func start(_ number: Int, dyingAfter jobs: Int? = nil) -> SeededDaemon {
      SeededDaemon(
        number, configuration, family: MetaMotionFamily.descriptor, seed: 1, world: world, radio: radio,
        broker: broker, store: store, dyingAfter: jobs)
    }
    let outcome = world.run(atMost: .seconds(3_600)) {
      await withTaskGroup(of: Void.self) { group -> (memories: [[BoardID: BoardMemory]], records: Int) in
        group.addTask { await radio.run() }
        var memories: [[BoardID: BoardMemory]] = []
        let first = start(0)
        try? await world.sleep(for: .seconds(30))
        await first.stop()
        memories.append((try? await store.boards.memories()) ?? [:])
        for (number, jobs) in stride(from: 1, through: 1_000, by: 53).enumerated() {
          let early = start(number + 1, dyingAfter: jobs)
          try? await world.sleep(for: .seconds(1))
          early.kill()
          await radio.daemonDied()
          await broker.clientDied()
        }
        memories.append((try? await store.boards.memories()) ?? [:])
        let mark = await broker.mark
        let last = start(100)
        try? await world.sleep(for: .seconds(30))
        let records = Set(
          await broker.published[mark...].map(\.topic).filter { $0.hasSuffix("/record/acceleration") })
        await last.stop()
        group.cancelAll()
        return (memories, records.count)
      }
    }
    let (memories, records) = try #require(outcome)
    // A start that lives long enough asks a board anew who it is; all else is as it was.
    let kept = memories.map { $0.mapValues { [$0.overlay, $0.driverMemory, [UInt8($0.bootCount)]] } }
    #expect(kept[0].count == 2 && kept[1] == kept[0])
    #expect(records == 2)
  }
}
