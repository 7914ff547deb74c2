package import BoardKit
package import FleetModel

/// A radio whose boards are firmware in this process: the whole of it in one actor, with the time that it is given,
/// so that a fleet can live through months in seconds and twice the same way.
package actor SimulatedRadio: Radio {
  package nonisolated let executor: any SerialExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let timekeeper: any Timekeeper
  var air: Air
  var boards: BoardHost
  var links = RadioLinks()
  var adapters: RadioAdapters
  /// What falls due beside the boards' own doings.
  var agenda = Agenda<Errand>()
  var isRunning = false
  /// How seldom boards are looked after that nobody is connected to.
  private let glance: Duration

  private var reports = RadioReports()
  private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  /// The earliest time that somebody sleeps for.
  private var nextWake: Duration?
  private var isRunningDue = false

  /// What falls due at some time.
  enum Errand: Hashable, Sendable {
    case report(BluetoothAddress)
    case loss(link: UInt64)
    case delivery(link: UInt64)
  }

  /// `executor` is where links deliver, and where the radio itself works. What a board does by itself while nobody is
  /// connected is seen up to `glance` later, which spares runs of days most of their time.
  package init(
    boards: [any SimulatedBoard], air: Air, timekeeper: any Timekeeper, executor: any SerialExecutor,
    adapters: [AdapterStatus] = [SimulatedRadio.adapter],
    glance: Duration = .zero, ledger: LedgerSink? = nil
  ) {
    self.glance = glance
    self.executor = executor
    self.timekeeper = timekeeper
    self.air = air
    self.boards = BoardHost(boards, ledger: ledger)
    self.adapters = RadioAdapters(adapters)
  }

  /// `hci0`, on.
  package static let adapter = SimulatedAdapters.all(1)[0]

  package nonisolated var events: AsyncStream<RadioEvent> {
    AsyncStream { [self] in
      while true {
        if let event = await takeEvent() { return event }
        var iterator = await reports.signals.makeAsyncIterator()
        guard await iterator.next() != nil else { return nil }
      }
    }
  }

  package func run() async {
    reportWhatIsThere()
    await live()
    for number in links.numbers { end(number, LinkFailure(.serviceGone, "the simulation ended")) }
    report(.service(isAvailable: false, message: "the simulation ended"))
  }

  /// Lets time pass for boards and links until cancelled: `run` without its reports, where the radio outlives those
  /// who use it.
  package func live() async {
    (isRunning, nextWake) = (true, nil)
    boards.start()
    wake.yield()
    await withDiscardingTaskGroup { group in
      for await _ in wakes { group.addTask { await self.keepAgenda() } }
      group.cancelAll()
    }
    isRunning = false
  }

  /// Does what is due and sleeps for the next, until somebody else sleeps for it.
  private func keepAgenda() async {
    while !Task.isCancelled {
      runDue()
      guard let next = nextEvent(), nextWake.map({ next < $0 }) ?? true else { return }
      nextWake = next
      try? await timekeeper.sleep(for: next - uptime)
      if nextWake == next { nextWake = nil }
    }
  }

  /// After a change of the agenda: wakes somebody if nobody will wake up in time.
  func wakeIfNeeded() {
    guard !isRunningDue, let next = nextEvent(), nextWake.map({ next < $0 }) ?? true else { return }
    wake.yield()
  }

  /// What somebody finds who comes now.
  package func reportWhatIsThere() {
    for event in adapters.events + (isUsable ? links.events : []) { report(event) }
  }

  var isUsable: Bool { adapters.isServiceThere }

  package func discover(_ isWanted: Bool, unfiltered: Bool) async {
    adapters.isDiscoveryWanted = isWanted
    updateDiscovery()
  }

  // Nothing is cached, and the simulator's adapters stand in for whatever a configuration lists.
  package func forget(_ board: BoardID, on adapter: AdapterID) async {}
  package func use(_ adapters: Set<AdapterID>?) async {}

  /// It reports every board, and its scan never goes deaf by itself.
  package func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) async {}

  package func reset(_ adapter: AdapterID) async throws(LinkFailure) {
    guard isUsable else { throw LinkFailure(.serviceGone, "nobody serves org.bluez") }
    guard adapters.state(of: adapter) != nil else {
      throw LinkFailure(.adapterGone, "there is no adapter \(adapter)")
    }
    setAdapter(adapter, .down)
    try? await timekeeper.sleep(for: .seconds(1))
    setAdapter(adapter, .up)
  }

  var uptime: Duration { timekeeper.uptime }

  /// Carries out what fell due, in order; of what falls due at one time, what boards do first.
  private func runDue() {
    isRunningDue = true
    defer { isRunningDue = false }
    while let next = nextEvent(), next <= uptime {
      if let board = boards.next(), board <= next {
        if let address = boards.popDue(at: next) { change(address) { board, now in board.advance(to: now) } }
      } else if let errand = agenda.popDue(at: next) {
        carryOut(errand)
      }
    }
  }

  /// When the next thing happens, to a board or on the air.
  private func nextEvent() -> Duration? {
    guard let board = boards.next() else { return agenda.next() }
    return agenda.next().map { min($0, board) } ?? board
  }

  private func carryOut(_ errand: Errand) {
    switch errand {
    case .report(let address): hear(address)
    case .loss(let number): lose(number)
    case .delivery(let number): deliver(number)
    }
  }

  /// Does something to a board and lets the world see the effects.
  func change(
    _ address: BluetoothAddress, _ action: (inout any SimulatedBoard, Duration) -> [BoardEffect]
  ) {
    carry(boards.change(address, at: uptime, pausing: pause(of: address), action), from: address)
  }

  func pause(of address: BluetoothAddress) -> Duration {
    links.number(of: address) == nil ? glance : air.conditions.connectionInterval
  }

  func carry(_ effects: [BoardEffect], from address: BluetoothAddress) {
    var address = address
    for effect in effects {
      switch effect {
      case .notify(let characteristic, let value): carry(value, of: characteristic, from: address)
      case .dropLink:
        links.number(of: address).map { end($0, LinkFailure(.linkLost, "the board disconnected")) }
      case .advertisementChanged: if adapters.isScanning { reportSoon(address) }
      case .moved(let place):
        agenda.set(.report(address), at: nil)
        address = place
        if adapters.isScanning { reportSoon(place) }
      case .noted: break
      }
    }
    wakeIfNeeded()
  }

  func report(_ event: RadioEvent) { reports.add(event) }

  private func takeEvent() -> RadioEvent? { reports.take() }
}

// Adapters and advertisements.
extension SimulatedRadio {
  func updateDiscovery() {
    for adapter in adapters.updateDiscovery() where isUsable { report(.adapter(adapter)) }
    for address in boards.addresses {
      if adapters.isScanning { reportSoon(address) } else { agenda.set(.report(address), at: nil) }
    }
    wakeIfNeeded()
  }

  /// An advertisement comes every few hundred milliseconds.
  private func reportSoon(_ address: BluetoothAddress) {
    agenda.set(.report(address), at: uptime + .milliseconds(10 + Int(address.rawValue % 90)))
  }

  private func hear(_ address: BluetoothAddress) {
    agenda.set(.report(address), at: uptime + air.conditions.scanPeriod)
    guard let advertisement = boards.advertisement(at: address) else { return }
    for received in adapters.advertisementReports(
      of: BoardID(address), advertisement, through: &air, at: timekeeper.now)
    { report(received) }
  }
}

// The hand of whoever tests.
extension SimulatedRadio {
  /// Does something to a board, such as pressing its button.
  package func perform<Board: SimulatedBoard>(
    on id: BoardID, as type: Board.Type = Board.self,
    _ action: @Sendable (inout Board, Duration) -> [BoardEffect]
  ) {
    let place = boards.place(of: id.address)
    carry(boards.change(place, at: uptime, pausing: pause(of: place), as: type, action), from: place)
  }

  /// A board as it is now.
  package func board<Board: SimulatedBoard>(_ id: BoardID, as type: Board.Type = Board.self) -> Board? {
    boards[boards.place(of: id.address)] as? Board
  }

  /// Changes the air from now on.
  package func changeAir(_ action: @Sendable (inout Air) -> Void) { action(&air) }

  /// The radio loses a board's link.
  package func loseLink(of id: BoardID) { links.number(of: boards.place(of: id.address)).map { lose($0) } }

  /// The owner of all links died without a word: they stay up, and whoever connects to their boards takes them over.
  package func abandonLinks() {
    links.abandon()
    adapters.isDiscoveryWanted = false
    updateDiscovery()
  }

  /// The Bluetooth service leaves, and every link with it, or comes back.
  package func setService(isThere: Bool) {
    guard isThere != adapters.isServiceThere else { return }
    adapters.isServiceThere = isThere
    if !isThere {
      for number in links.numbers { end(number, LinkFailure(.serviceGone, "org.bluez left the bus")) }
    }
    reportWhatIsThere()
    updateDiscovery()
  }

  /// Switches an adapter, or plugs it in, by any name; links over an adapter that is not up end.
  package func setAdapter(_ id: AdapterID, _ state: AdapterStatus.State, name: String? = nil) {
    let adapter = adapters.set(id, state, name: name)
    if isUsable { report(.adapter(adapter)) }
    if state != .up { endLinks(over: id, LinkFailure(.adapterOff, "the adapter was switched off")) }
    updateDiscovery()
  }

  /// Pulls an adapter out.
  package func removeAdapter(_ id: AdapterID) {
    guard adapters.remove(id) else { return }
    endLinks(over: id, LinkFailure(.adapterGone, "the adapter was removed"))
    if isUsable { report(.adapterGone(id)) }
  }

  private func endLinks(over adapter: AdapterID, _ failure: LinkFailure) {
    for number in links.numbers where links[number]?.adapter == adapter { end(number, failure) }
  }
}
