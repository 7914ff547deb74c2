import BoardKit
import Fleet
import FleetModel
import Glibc
import MetaMotion
import SeededFaults
import Simulator
import Storage
import Support
import VirtualTime

/// Plays the days: the real gateway, driver, dialect and SQLite, on one thread in virtual time.
struct DayFleet {
  let plan: DayPlan
  private let world: SeededWorld
  private let ledger: DayLedger
  private let radio: DayRadio
  private let broker: RecordingBroker
  private let store: Store
  private let archive: DayArchive?
  private let boards: [BoardID]

  init(_ plan: DayPlan) throws {
    self.plan = plan
    archive = try plan.archive.map { path throws(DayArchiveError) in try DayArchive(path) }
    let world = SeededWorld(seed: plan.seed)
    let ledger = DayLedger(start: world.now)
    var random = SeededGenerator(seed: plan.seed)
    let simulated = (1...plan.boards).map { number in
      MetaMotionBoard(
        Firmware(
          // The memory of the others is too small for an hour at 100 Hz.
          model: plan.isFast(number) || plan.isStreaming(number) || number.isMultiple(of: 2) ? .s : .rl,
          identity: BoardIdentity(number: UInt16(number)), seed: random.next(),
          crystal: Crystal(partsPerMillion: (random.fraction() * 2 - 1) * Crystal.tolerance),
          // As far as such sensors are off.
          sensorSpeed: plan.isStreaming(number) ? 0.97 + 0.06 * random.fraction() : 1,
          ledger: plan.isStreaming(number) ? .samples : .log))
    }
    boards = simulated.map { BoardID($0.address) }
    var air = Air(seed: plan.seed)
    air.conditions.scanPeriod = .seconds(60)
    air.conditions.linkLife = .seconds(3_600)
    air.conditions.connectionInterval = .milliseconds(15)
    air.conditions.slots = plan.slots
    radio = DayRadio(
      SimulatedRadio(
        boards: simulated, air: air, timekeeper: world, executor: world,
        adapters: SimulatedAdapters.all(plan.adapters), glance: .seconds(10),
        ledger: { ledger.note(BoardID($0), $1, at: $2) }), in: world)
    broker = RecordingBroker(on: world, keepingMessages: false)
    store = try Store(inMemoryOn: world)
    self.world = world
    self.ledger = ledger
  }

  /// What is wrong; empty when all is well.
  func play() throws -> [String] {
    let configuration = try configuration(plan.fastHours == 0 ? 0 : plan.fastBoards)
    let slowed = try self.configuration(0)
    let limit = plan.span + .seconds(86_400)
    let hasEnded = world.run(atMost: limit) { [self] in
      await broker.observe { [ledger, archive] message, _ in
        ledger.received(message)
        archive?.keep(message)
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { [radio] in await radio.run() }
        group.addTask { await reportHourly() }
        await live(configuration, slowed)
        group.cancelAll()
      }
      return true
    }
    return verdict(hasEnded: hasEnded ?? false)
  }

  private func live(_ first: FleetConfiguration, _ slowed: FleetConfiguration) async {
    var configuration = first
    var daemon = start(configuration, 0)
    var (runs, replugged) = (1, 0)
    for (time, accident) in plan.accidents {
      try? await world.sleep(for: time - world.uptime)
      switch accident {
      case .reset(let number):
        await radio.radio.perform(on: boards[number - 1], as: MetaMotionBoard.self) { board, now in
          board.apply(.reset, at: now)
        }
      case .defect(let number, let defect): await apply(.defect(defect), number)
      case .heal(let number): await apply(.healed(nil), number)
      case .clump(let number, let span):
        await radio.radio.changeAir { [address = boards[number - 1].address] in $0.clumps[address] = span }
        ledger.clump(boards[number - 1], span)
      case .dropLink(let number): await radio.radio.loseLink(of: boards[number - 1])
      case .boardAway(let number, let isAway):
        await radio.radio.changeAir { [address = boards[number - 1].address] in
          if isAway { $0.outOfRange.insert(address) } else { $0.outOfRange.remove(address) }
        }
        if isAway { await radio.radio.loseLink(of: boards[number - 1]) }
      case .pullOut(let number): await radio.radio.removeAdapter(SimulatedAdapters.id(of: number))
      case .plugIn(let number):
        replugged += 1
        await radio.radio.setAdapter(
          SimulatedAdapters.id(of: number), .up, name: "hci\(plan.adapters + replugged)")
      case .brokerAway(let span):
        await broker.setReachable(false)
        try? await world.sleep(for: span)
        await broker.setReachable(true)
      case .update(let number): await orderFirmware(number)
      case .restart, .slowDown:
        if accident == .slowDown { configuration = slowed }
        await daemon.stop()
        daemon = start(configuration, runs)
        runs += 1
      case .kill(let pause):
        daemon.kill()
        await radio.daemonDied()
        await broker.clientDied()
        try? await world.sleep(for: pause)
        daemon = start(configuration, runs)
        runs += 1
      }
    }
    try? await world.sleep(for: plan.span - world.uptime)
    // What was written down until now is home when everybody has been visited once more.
    let written = ledger.accounts.mapValues { $0.logged - $0.lostWithPower }
    for _ in 0..<24 where !missing(written).isEmpty { try? await world.sleep(for: .seconds(900)) }
    for (board, count) in missing(written) {
      ledger.accuse(board, "\(count) entries are not home six hours after the last one was written")
    }
    await judgeUpdates()
    await daemon.stop()
  }

  /// Whoever orders it has charged the board, which may be away just then, or have to wait for a free slot.
  private func orderFirmware(_ number: Int) async {
    let board = boards[number - 1]
    await apply(.battery(percent: 95), number)
    let expiry = (world.now + .seconds(290)).milliseconds
    await broker.send(
      "metafleet/board/\(board)/cmd/firmware-update",
      #"{"id":"fw-\#(world.uptime.wholeNanoseconds)","expires_ms":\#(expiry),"args":{"confirm":"\#(board)","force":true}}"#
    )
  }

  /// Who was to get firmware has an application, what was begun is over, and some have got it.
  private func judgeUpdates() async {
    let ordered = Set(
      plan.accidents.compactMap { if case .update(let number) = $0.accident { number } else { nil } })
    var updated = 0
    for board in ordered.sorted().map({ boards[$0 - 1] }) {
      let firmware = await radio.radio.board(board, as: MetaMotionBoard.self)?.firmware
      if firmware?.isBootloader != false { ledger.accuse(board, "it is still in its bootloader") }
      if firmware?.model.firmwareRevision == SeededFirmware.version { updated += 1 }
      let job = try? await store.firmware.job(of: board)
      if job != nil { ledger.accuse(board, "its update is not over") }
    }
    print("\(updated) of \(ordered.count) boards that were to get firmware have it")
    if updated == 0, let number = ordered.min() {
      ledger.accuse(boards[number - 1], "neither it nor any other board got the firmware that was ordered")
    }
  }

  private func apply(_ fault: BoardFault, _ number: Int) async {
    await radio.radio.perform(on: boards[number - 1], as: MetaMotionBoard.self) { board, now in
      board.apply(fault, at: now)
    }
  }

  /// How much of what was written down is not published.
  private func missing(_ written: [BoardID: Int]) -> [(BoardID, Int)] {
    let accounts = ledger.accounts
    return boards.compactMap { board in
      let missing = (written[board] ?? 0) - (accounts[board]?.published ?? 0)
      return missing > 0 ? (board, missing) : nil
    }
  }

  private func start(_ configuration: FleetConfiguration, _ number: Int) -> SeededDaemon {
    SeededDaemon(
      number, configuration, family: MetaMotionFamily.descriptor, seed: plan.seed, world: world, radio: radio,
      broker: broker, store: store, firmware: SeededFirmware())
  }

  /// With the first so many boards logging fast.
  private func configuration(_ fastBoards: Int) throws -> FleetConfiguration {
    var configuration = FleetConfiguration()
    configuration.gateway = GatewayIdentity(id: "days", site: nil)
    configuration.storage.replay = .seconds(600)
    configuration.schedules.firmwareCheck = .never
    if plan.archive != nil { configuration.lanes.encodings = Set(SampleEncoding.allCases) }
    configuration.storage.maximumSize = 100_000_000
    for (name, stream, keys) in [
      ("fast", "acceleration", ["rate_hz": 100, "range_g": 4]), ("slow", "temperature-die", ["every": "60s"]),
    ] as [(String, String, JSONObject)] {
      guard let definition = StreamCatalogue.find(stream)?.stream else { continue }
      var profile = Profile()
      profile.logs[stream] = StreamRequest(name: stream, configuration: try definition.configure(keys).values)
      profile.visit.every = .every(.seconds(3_600 * (name == "fast" ? 1 : plan.visitHours)))
      configuration.profiles[name] = profile
    }
    for kind in DayStream.Kind.allCases {
      guard let definition = StreamCatalogue.find(kind.name)?.stream else { continue }
      var profile = Profile()
      profile.streams[kind.name] = StreamRequest(
        name: kind.name, configuration: try definition.configure(kind.configuration).values)
      configuration.profiles[kind.name] = profile
    }
    configuration.boards = boards.enumerated().map { index, board in
      var entry = BoardConfiguration(board: board)
      entry.profile =
        index < fastBoards ? "fast" : plan.isStreaming(index + 1) ? DayStream.Kind(board: index).name : "slow"
      return entry
    }
    return configuration
  }

  /// Says how far it is to whoever watches; apart from the outcome, which is the same for the same seed.
  private func reportHourly() async {
    var hours = 0
    while (try? await world.sleep(for: .seconds(3_600))) != nil {
      hours += 1
      // POSIX has a million clocks per second.
      let line = "hour \(hours): \(summary), \(clock() / 1_000_000) s of processor time\n"
      _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
  }

  private var summary: String {
    let accounts = ledger.accounts.values
    return "\(accounts.reduce(0) { $0 + $1.logged }) entries written, "
      + "\(accounts.reduce(0) { $0 + $1.published }) published, \(ledger.findings.count) findings"
  }

  private func verdict(hasEnded: Bool) -> [String] {
    print("end: \(summary), \(world.jobsRun) jobs")
    var findings = ledger.findings
    if !hasEnded { findings.append("the world came to a stop") }
    let accounts = ledger.accounts
    for (index, board) in boards.enumerated() where !plan.isStreaming(index + 1) {
      guard let account = accounts[board], account.logged > 0 else {
        findings.append("\(board) wrote nothing down")
        continue
      }
    }
    for (index, board) in boards.enumerated() where plan.isStreaming(index + 1) {
      let stream = ledger.streams[board] ?? DayStream()
      print("\(board) streams: \(stream.summary)")
      findings += stream.findings.map { "\(board) \($0)" }
    }
    for (index, board) in boards.enumerated() where !plan.isFast(index + 1) && !plan.isStreaming(index + 1) {
      findings += (ledger.visits[board] ?? DayVisits()).findings(every: plan.visitHours, for: plan.span).map {
        "\(board) \($0)"
      }
    }
    let visits = ledger.visits.values
    print(
      "\(visits.reduce(0) { $0 + $1.count(.downloaded) }) downloads, \(visits.reduce(0) { $0 + $1.count(.missed) }) visits told as missed"
    )
    let times = ledger.times
    let lost = accounts.values.reduce(0) { $0 + $1.lostWithPower }
    for (board, account) in accounts.sorted(by: { $0.key < $1.key }) where account.lostToFirmware > 0 {
      findings.append("\(account.lostToFirmware) entries of \(board) were erased by new firmware, unread")
    }
    let gaps = accounts.values.reduce(0) { $0 + $1.gaps }
    print(
      "\(times.samples) samples, \(times.outside) outside their stated error (worst by \(times.worst) ms), "
        + "\(times.unknown) of unknown time, mean stated error \(times.statedSum / Double(max(1, times.samples - times.unknown))) ms; "
        + "\(lost) entries lost with boards' power, \(gaps) gaps")
    if times.outside * 1_000 > times.samples {
      findings.append("more than a thousandth of the stamps are outside")
    }
    if times.unknown * 10 > times.samples { findings.append("more than a tenth of the stamps are unknown") }
    return findings
  }
}
