import BoardKit
package import DBus
package import EventLoops
package import FleetModel

/// Simulated boards behind an `org.bluez` service: to a client on the bus this is bluetoothd with one adapter. What
/// it imitates, down to the texts of errors and the order of signals, is version 5.66 with real boards.
///
/// Everything runs on one loop: the connection to the bus, all boards, all sockets.
package actor FakeBlueZ {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let connection: DBusConnection
  let server: DBusObjectServer
  var endpoints: [BluetoothAddress: [Endpoint]] = [:]
  var trees: [BluetoothAddress: AttributeTree] = [:]
  package var counts = Counts()

  var adapter: FakeAdapter
  /// Of `/org/bluez/hciN`.
  var adapterNumber = 0
  var conditions: [BluetoothAddress: BoardCondition] = [:]
  /// Notifications that are held back.
  var late = LateNotifications()
  /// False while bluetoothd is dead.
  var isServing = true
  private var schedule = FaultSchedule()
  private(set) var boards: [BluetoothAddress: any SimulatedBoard]
  private var boardAgenda = Agenda<BluetoothAddress>()
  private var calls: [FakeCall: DBusInvocation] = [:]
  private var lastCall = 0
  private var decided: [FakeAction] = []
  private var isPerforming = false
  private var mischief: Mischief?
  private var nextMischief: FaultOrder?
  private var clockwork: Clockwork
  private let ledger: LedgerKeeper?

  /// What became of the boards' notifications.
  package struct Counts: Sendable, Equatable {
    package var delivered = 0
    /// The client's socket was full.
    package var dropped = 0
    /// Bad air.
    package var lost = 0
    /// Nobody listened.
    package var unheard = 0
  }

  private init(
    _ connection: DBusConnection, _ server: DBusObjectServer, boards: [any SimulatedBoard],
    adapter: FakeAdapter,
    mischief: Mischief?, speed: Double, ledger: LedgerKeeper?
  ) {
    self.ledger = ledger
    loop = connection.loop
    self.connection = connection
    self.server = server
    self.boards = Dictionary(uniqueKeysWithValues: boards.map { ($0.address, $0) })
    self.adapter = adapter
    self.mischief = mischief
    clockwork = Clockwork(speed: speed)
  }

  /// Serves boards on a bus. `speed` is how many seconds pass, for boards and for BlueZ's own delays, in one second
  /// of the world; `mischief` what happens to boards by itself; `ledger` hears what boards with a ledger write down.
  /// `onEnd` is called on the loop when the bus goes away.
  package static func start(
    boards: [any SimulatedBoard], air: Air, on bus: DBusAddress, loop: EventLoop, mischief: Mischief? = nil,
    deviceMemory: Duration = .seconds(30), speed: Double = 1,
    ledger: LedgerKeeper? = nil,
    onEnd: (@Sendable (DBusFailure) -> Void)? = nil
  ) async throws(DBusFailure) -> FakeBlueZ {
    let connection = try await DBusConnection.open(bus, on: loop, onEnd: onEnd)
    let server = await DBusObjectServer.start(on: connection)
    let fake = FakeBlueZ(
      connection, server, boards: boards, adapter: FakeAdapter(air: air, memory: deviceMemory),
      mischief: mischief, speed: speed, ledger: ledger)
    await fake.powerUp()
    _ = try await connection.watchDepartures { [weak fake] client in
      fake?.assumeIsolated { $0.clientLeft(client) }
    }
    try await connection.requestName(BlueZNames.service)
    return fake
  }

  /// Leaves the bus as a bluetoothd that was killed: sockets end, nothing is said. Repeating it does nothing.
  package func stop() async {
    clockwork.stop()
    for endpoint in endpoints.values.joined() { endpoint.closeSockets() }
    endpoints = [:]
    await connection.close()
  }

  private func powerUp() {
    for address in boards.keys.sorted() { boardAgenda.set(address, at: boards[address]?.nextEvent) }
    show()
    planMischief()
  }

  /// Shows what a bluetoothd that has just started shows.
  func show() {
    exportRoot()
    exportAdapter()
    for address in boards.keys.sorted() {
      ask { [boards] in $0.advertises(address, boards[address]?.advertisement) }
    }
  }
}

// Time.
extension FakeBlueZ {
  private func tick() {
    let now = clockwork.beginTick()
    while let address = boardAgenda.popDue(at: now) {
      change(address) { board, now in board.advance(to: now) }
    }
    while let order = nextMischief, order.at <= now {
      planMischief()
      carryOut(order)
    }
    while let order = schedule.popDue(at: now) { carryOut(order) }
    while let (value, key, board) = late.popDue(at: now) { deliver(value, of: key, from: board) }
    ask { _ in [] }
    clockwork.endTick()
    arm()
  }

  private func arm() {
    let times = [boardAgenda.next(), adapter.nextEvent(), nextMischief?.at, schedule.next, late.next]
    clockwork.arm(for: times.compactMap { $0 }.min(), on: loop) { [weak self] in
      self?.assumeIsolated { $0.tick() }
    }
  }

  private func planMischief() {
    nextMischief = mischief?.next().map { FaultOrder($0.fault, on: [$0.board], at: clockwork.now + $0.pause) }
  }

  /// Holds a notification back, behind those of its board that are held back already.
  func hold(_ value: [UInt8], of key: Characteristic, from board: BluetoothAddress, for delay: Duration) {
    late.add(value, of: key, from: board, at: clockwork.now + delay)
    arm()
  }

  /// Has faults happen at their times: before this returns where that has come.
  package func schedule(_ orders: [FaultOrder]) {
    for order in orders { schedule.add(order) }
    let now = clockwork.read()
    if let next = schedule.next, next <= now { tick() } else { arm() }
  }

  /// Simulated time since the start.
  package var now: Duration { clockwork.read() }
}

// Decisions and what they do.
extension FakeBlueZ {
  /// Has the adapter decide something, and carries it out.
  func ask(_ question: (inout FakeAdapter) -> [FakeAction]) {
    perform(adapter.advance(to: clockwork.read()))
    perform(question(&adapter))
    arm()
  }

  /// The same for a client's call, which is answered now or later.
  func ask(_ invocation: DBusInvocation, _ question: (inout FakeAdapter, FakeCall) -> [FakeAction]) {
    lastCall += 1
    let call = FakeCall(number: lastCall)
    calls[call] = invocation
    ask { question(&$0, call) }
  }

  /// Strictly in the order of decision, also when carrying out one action leads to others.
  private func perform(_ actions: [FakeAction]) {
    decided += actions
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !decided.isEmpty {
      switch decided.removeFirst() {
      case .reply(let call): calls.removeValue(forKey: call)?.reply()
      case .fail(let call, let failure): calls.removeValue(forKey: call)?.fail(failure)
      case .forsake(let call): calls[call] = nil
      case .adapterChanged(let changes): show(adapterPath, BlueZNames.adapter, changes)
      case .deviceAppeared(let board, let properties): exportDevice(board, properties)
      case .deviceChanged(let board, let changes, let invalidated):
        show(path(of: board), BlueZNames.device, changes, invalidated)
      case .deviceRemoved(let board): removeDevice(board)
      case .linkOpened(let board): linkOpened(board)
      case .linkClosed(let board):
        releaseSockets(of: board)
        change(board) { board, now in board.disconnected(at: now) }
      case .attributesDiscovered(let board): exportAttributes(of: board)
      case .batteryRemoved(let board):
        server.assumeIsolated { [path = path(of: board)] in $0.remove([BlueZNames.battery], at: path) }
      }
    }
  }

  /// Whoever waits for an answer learns from the bus that there will be none.
  func forsakeCalls() {
    let (name, text) = (
      "org.freedesktop.DBus.Error.NoReply", "Message recipient disconnected from message bus without replying"
    )
    for call in calls.values { call.fail(.error(name: name, text: text)) }
    calls = [:]
  }

  private func linkOpened(_ board: BluetoothAddress) {
    guard let services = boards[board]?.services else { return }
    adapter.services[board] = AttributeTree(of: services, below: "").services
    change(board) { board, now in board.connected(at: now) }
  }

  /// Does something to a board and lets the world see the effects.
  func change(
    _ address: BluetoothAddress, _ action: (inout any SimulatedBoard, Duration) -> [BoardEffect]
  ) {
    // In place: a copy of the board would copy all of its registers.
    guard let index = boards.index(forKey: address) else { return }
    let effects = action(&boards.values[index], clockwork.read())
    boardAgenda.set(address, at: boards.values[index].nextEvent)
    for effect in effects {
      switch effect {
      case .notify(let characteristic, let value): carry(value, of: characteristic, from: address)
      case .dropLink: ask { $0.linkLost(address) }
      case .advertisementChanged: ask { [boards] in $0.advertises(address, boards[address]?.advertisement) }
      case .noted(let entry, let time): ledger?(address, entry, time)
      }
    }
    arm()
  }

  func show(
    _ path: String, _ interface: String, _ changes: [String: DBusValue], _ invalidated: [String] = []
  ) {
    server.assumeIsolated { $0.change(path, interface, set: changes, invalidate: invalidated) }
  }

  func services(of board: BluetoothAddress) -> [AttributeService] { boards[board]?.services ?? [] }

  /// True while the board's attributes can be used.
  func isReady(_ board: BluetoothAddress) -> Bool { adapter.devices[board]?.isReady ?? false }

  func losesNotification() -> Bool { adapter.air.losesNotification() }
}

// The hand of whoever tests.
extension FakeBlueZ {
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
  package func changeAir(_ action: @Sendable (inout Air) -> Void) { action(&adapter.air) }

  /// The radio loses a board's link.
  package func loseLink(of id: BoardID) { ask { $0.linkLost(id.address) } }
}
