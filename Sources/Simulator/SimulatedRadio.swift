package import BoardKit
package import FleetModel

/// A radio whose boards are firmware in this process: the whole of it in one actor, with the time that it is given,
/// so that a fleet can live through months in seconds and twice the same way.
package actor SimulatedRadio: Radio {
  package nonisolated let executor: any SerialExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let timekeeper: any Timekeeper
  var air: Air
  var boards: [BluetoothAddress: any SimulatedBoard]
  var links: [UInt64: Connection] = [:]
  var agenda = Agenda<Errand>()
  var isRunning = false
  /// Attempts to connect that are under way; the scan pauses for them.
  var attempts = 0
  var lastLink: UInt64 = 0
  /// Grows whenever the owner of the links dies; a link of an earlier owner is nobody's.
  var owner = 0
  /// How seldom boards are looked after that nobody is connected to.
  private let glance: Duration
  /// Hears what boards with a ledger write down.
  private let ledger: LedgerKeeper?

  private var isServiceThere = true
  private var adapters: [AdapterID: AdapterStatus]
  private var isDiscoveryWanted = false
  private var queue = RadioEventQueue()
  private let (reports, reportsSignal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  /// The earliest time that somebody sleeps for.
  private var alarm: Duration?
  private var isSettling = false

  /// What falls due at some time.
  enum Errand: Hashable, Sendable {
    case board(BluetoothAddress)
    case report(BluetoothAddress)
    case loss(link: UInt64)
    case delivery(link: UInt64)
  }

  /// `executor` is where links deliver, and where the radio itself works. What a board does by itself while nobody is
  /// connected is seen up to `glance` later, which spares runs of days most of their time.
  package init(
    boards: [any SimulatedBoard], air: Air, timekeeper: any Timekeeper, executor: any SerialExecutor,
    adapters: [AdapterStatus] = [SimulatedRadio.adapter],
    glance: Duration = .zero, ledger: LedgerKeeper? = nil
  ) {
    self.glance = glance
    self.ledger = ledger
    self.executor = executor
    self.timekeeper = timekeeper
    self.air = air
    self.boards = Dictionary(uniqueKeysWithValues: boards.map { ($0.address, $0) })
    self.adapters = Dictionary(uniqueKeysWithValues: adapters.map { ($0.id, $0) })
  }

  /// `hci0`, on.
  package static let adapter = AdapterStatus(
    id: AdapterID(BluetoothAddress(rawValue: 0x00AA_0100_0000)), name: "hci0", state: .up,
    isDiscovering: false)

  package nonisolated var events: AsyncStream<RadioEvent> {
    AsyncStream { [self] in
      while true {
        if let event = await takeEvent() { return event }
        var iterator = reports.makeAsyncIterator()
        guard await iterator.next() != nil else { return nil }
      }
    }
  }

  package func run() async {
    reportWhatIsThere()
    await live()
    for number in links.keys.sorted() { end(number, LinkFailure(.serviceGone, "the simulation ended")) }
    report(.service(isAvailable: false, message: "the simulation ended"))
  }

  /// Lets time pass for boards and links until cancelled: `run` without its reports, where the radio outlives those
  /// who use it.
  package func live() async {
    (isRunning, alarm) = (true, nil)
    for address in boards.keys.sorted() { agenda.set(.board(address), at: boards[address]?.nextEvent) }
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
      settle()
      guard let next = agenda.next(), alarm.map({ next < $0 }) ?? true else { return }
      alarm = next
      try? await timekeeper.sleep(for: next - uptime)
      if alarm == next { alarm = nil }
    }
  }

  /// After a change of the agenda: wakes somebody if nobody will wake up in time.
  func wakeIfNeeded() {
    guard !isSettling, let next = agenda.next(), alarm.map({ next < $0 }) ?? true else { return }
    wake.yield()
  }

  /// What somebody finds who comes now.
  package func reportWhatIsThere() {
    guard isUsable else { return report(.service(isAvailable: false, message: "nobody serves org.bluez")) }
    report(.service(isAvailable: true, message: "simulated"))
    for adapter in adapters.values.sorted(by: { $0.id < $1.id }) { report(.adapter(adapter)) }
    for (_, link) in links.sorted(by: { $0.key < $1.key }) where link.failure == nil {
      report(.connection(BoardID(link.address), link.adapter, isConnected: true))
    }
  }

  var isUsable: Bool { isServiceThere }

  package func discover(_ isWanted: Bool, unfiltered: Bool) async {
    isDiscoveryWanted = isWanted
    updateDiscovery()
  }

  package func forget(_ board: BoardID, on adapter: AdapterID) async {}

  package func reset(_ adapter: AdapterID) async throws(LinkFailure) {
    guard isServiceThere else { throw LinkFailure(.serviceGone, "nobody serves org.bluez") }
    guard adapters[adapter] != nil else { throw LinkFailure(.adapterGone, "there is no adapter \(adapter)") }
    setAdapter(adapter, .down)
    try? await timekeeper.sleep(for: .seconds(1))
    setAdapter(adapter, .up)
  }

  var uptime: Duration { timekeeper.uptime }

  /// Carries out what fell due, in order.
  private func settle() {
    isSettling = true
    defer { isSettling = false }
    while let errand = agenda.popDue(at: uptime) {
      switch errand {
      case .board(let address): change(address) { board, now in board.advance(to: now) }
      case .report(let address): hear(address)
      case .loss(let number): lose(number)
      case .delivery(let number): deliver(number)
      }
    }
  }

  /// Does something to a board and lets the world see the effects.
  func change(
    _ address: BluetoothAddress, _ action: (inout any SimulatedBoard, Duration) -> [BoardEffect]
  ) {
    // In place: a copy of the board would copy all of its registers.
    guard let index = boards.index(forKey: address) else { return }
    let effects = action(&boards.values[index], uptime)
    var next = boards.values[index].nextEvent
    let pause = linkNumber(of: address) == nil ? glance : air.conditions.connectionInterval
    if pause > .zero { next = next.map { max($0, uptime + pause) } }
    agenda.set(.board(address), at: next)
    for effect in effects {
      switch effect {
      case .notify(let characteristic, let value): carry(value, of: characteristic, from: address)
      case .dropLink:
        linkNumber(of: address).map { end($0, LinkFailure(.linkLost, "the board ended the link")) }
      case .advertisementChanged: if isDiscovering { reportSoon(address) }
      case .noted(let entry, let time): ledger?(address, entry, time)
      }
    }
    wakeIfNeeded()
  }

  func report(_ event: RadioEvent) {
    queue.append(event)
    reportsSignal.yield()
  }

  private func takeEvent() -> RadioEvent? { queue.popFirst() }
}

// Adapters and advertisements.
extension SimulatedRadio {
  func state(of adapter: AdapterID) -> AdapterStatus.State? { adapters[adapter]?.state }

  private var isDiscovering: Bool { isDiscoveryWanted && attempts == 0 && isServiceThere }

  func updateDiscovery() {
    for (id, var adapter) in adapters.sorted(by: { $0.key < $1.key }) {
      let isOn = isDiscovering && adapter.state == .up
      guard adapter.isDiscovering != isOn else { continue }
      adapter.isDiscovering = isOn
      adapters[id] = adapter
      if isServiceThere { report(.adapter(adapter)) }
    }
    for address in boards.keys.sorted() {
      if isDiscovering { reportSoon(address) } else { agenda.set(.report(address), at: nil) }
    }
    wakeIfNeeded()
  }

  /// An advertisement comes every few hundred milliseconds.
  private func reportSoon(_ address: BluetoothAddress) {
    agenda.set(.report(address), at: uptime + .milliseconds(10 + Int(address.rawValue % 90)))
  }

  private func hear(_ address: BluetoothAddress) {
    agenda.set(.report(address), at: uptime + air.conditions.scanPeriod)
    guard let advertisement = boards[address]?.advertisement, let rssi = air.hear(address) else { return }
    for adapter in adapters.values.sorted(by: { $0.id < $1.id }) where adapter.isDiscovering {
      report(
        .sighting(
          Sighting(
            board: BoardID(address), adapter: adapter.id, name: advertisement.localName, rssi: rssi,
            services: [advertisement.service], time: timekeeper.now)))
    }
  }
}

// The hand of whoever tests.
extension SimulatedRadio {
  /// Does something to a board, such as pressing its button.
  package func perform<Board: SimulatedBoard>(
    on id: BoardID, as type: Board.Type = Board.self,
    _ action: @Sendable (inout Board, Duration) -> [BoardEffect]
  ) {
    change(id.address) { any, now in
      guard var board = any as? Board else { return [] }
      defer { any = board }
      return action(&board, now)
    }
  }

  /// A board as it is now.
  package func board<Board: SimulatedBoard>(_ id: BoardID, as type: Board.Type = Board.self) -> Board? {
    boards[id.address] as? Board
  }

  /// Changes the air from now on.
  package func changeAir(_ action: @Sendable (inout Air) -> Void) { action(&air) }

  /// The radio loses a board's link.
  package func loseLink(of id: BoardID) { linkNumber(of: id.address).map { lose($0) } }

  /// The owner of all links died without a word: they stay up, and whoever connects to their boards takes them over.
  package func abandonLinks() {
    owner += 1
    for number in links.keys {
      links[number]?.received = nil
      links[number]?.ended = nil
      links[number]?.subscriptions = []
      links[number]?.packets = []
    }
    isDiscoveryWanted = false
    updateDiscovery()
  }

  /// The Bluetooth service leaves, and every link with it, or comes back.
  package func setService(isThere: Bool) {
    guard isThere != isServiceThere else { return }
    isServiceThere = isThere
    if !isThere {
      for number in links.keys.sorted() { end(number, LinkFailure(.serviceGone, "org.bluez left the bus")) }
    }
    reportWhatIsThere()
    updateDiscovery()
  }

  /// Switches an adapter, or plugs it in, by any name; links over an adapter that is not up end.
  package func setAdapter(_ id: AdapterID, _ state: AdapterStatus.State, name: String? = nil) {
    var adapter =
      adapters[id] ?? AdapterStatus(id: id, name: "hci\(adapters.count)", state: state, isDiscovering: false)
    adapter.state = state
    adapter.name = name ?? adapter.name
    if state != .up { adapter.isDiscovering = false }
    adapters[id] = adapter
    if isServiceThere { report(.adapter(adapter)) }
    if state != .up { endLinks(over: id, LinkFailure(.adapterOff, "the adapter was switched off")) }
    updateDiscovery()
  }

  /// Pulls an adapter out.
  package func removeAdapter(_ id: AdapterID) {
    guard adapters.removeValue(forKey: id) != nil else { return }
    endLinks(over: id, LinkFailure(.adapterGone, "the adapter was removed"))
    if isServiceThere { report(.adapterGone(id)) }
  }

  private func endLinks(over adapter: AdapterID, _ failure: LinkFailure) {
    for (number, link) in links.sorted(by: { $0.key < $1.key }) where link.adapter == adapter {
      end(number, failure)
    }
  }
}
