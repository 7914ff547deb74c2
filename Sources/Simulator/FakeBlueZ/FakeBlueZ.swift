import BoardKit
package import DBus
package import EventLoops
package import FleetModel

/// Simulated boards behind an `org.bluez` service: to a client on the bus this is bluetoothd with its adapters. What
/// it imitates, down to the texts of errors and the order of signals, is version 5.66 with real boards.
///
/// Everything runs on one loop: the connection to the bus, all boards, all sockets.
package actor FakeBlueZ {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let connection: DBusConnection
  /// Of each adapter, by its number.
  var objects: [FakeObjects]
  let attributes: FakeAttributes
  var adapters: FakeAdapters
  var boards: BoardHost
  var conditions: [BluetoothAddress: ActiveFaults] = [:]
  /// Notifications that are held back.
  var late = LateNotifications()
  /// False while bluetoothd is dead.
  var isServing = true
  private var faults: FaultSchedule
  var calls = PendingCalls()
  private var decided: [(action: FakeAction, adapter: Int)] = []
  private var isPerforming = false
  private var clockwork: Clockwork
  /// Hears of each order when it is carried out.
  let orders: OrderSink?

  private init(
    _ connection: DBusConnection, _ server: DBusObjectServer, boards: [any SimulatedBoard],
    adapters: FakeAdapters, randomFaults: RandomFaults?, speed: Double, ledger: LedgerSink?,
    orders: OrderSink?
  ) {
    loop = connection.loop
    self.connection = connection
    objects = adapters.numbers.map { FakeObjects(ofAdapter: $0, on: server) }
    attributes = FakeAttributes(on: server, loop: connection.loop)
    self.boards = BoardHost(boards, ledger: ledger)
    self.adapters = adapters
    faults = FaultSchedule(randomFaults: randomFaults)
    clockwork = Clockwork(speed: speed)
    self.orders = orders
  }

  /// Serves boards on a bus. `speed` is how many seconds pass, for boards and for BlueZ's own delays, in one second
  /// of the world; `adapters` how many bluetoothd has; `randomFaults` what happens to boards at random; `ledger` hears
  /// what boards with a ledger write down, `orders` what is carried out. `onEnd` is called on the loop when the bus
  /// goes away.
  package static func start(
    boards: [any SimulatedBoard], air: Air, adapters: Int = 1, on bus: DBusAddress, loop: EventLoop,
    randomFaults: RandomFaults? = nil, deviceMemory: Duration = .seconds(30), speed: Double = 1,
    ledger: LedgerSink? = nil, orders: OrderSink? = nil, onEnd: (@Sendable (DBusFailure) -> Void)? = nil
  ) async throws(DBusFailure) -> FakeBlueZ {
    let connection = try await DBusConnection.open(bus, on: loop, onEnd: onEnd)
    let server = await DBusObjectServer.start(on: connection)
    let fake = FakeBlueZ(
      connection, server, boards: boards, adapters: FakeAdapters(adapters, air: air, memory: deviceMemory),
      randomFaults: randomFaults, speed: speed, ledger: ledger, orders: orders)
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
    attributes.closeSockets()
    await connection.close()
  }

  private func powerUp() {
    boards.start()
    attributes.onSubscription = { [weak self] board, key, isOn in
      self?.assumeIsolated { $0.change(board) { board, now in board.subscribed(isOn, to: key, at: now) } }
    }
    show()
    faults.start(at: clockwork.now)
  }

  /// Shows what a bluetoothd that has just started shows.
  func show() {
    objects[0].exportRoot(of: self)
    for number in adapters.numbers { showAdapter(number) }
  }

  func showAdapter(_ number: Int) {
    objects[number].exportAdapter(of: self)
    for address in boards.addresses { advertises(address) }
  }

  func clientLeft(_ client: String) {
    attributes.clientLeft(client)
    askAll { $0.clientLeft(client) }
  }

  /// What became of the boards' notifications.
  package var counts: NotificationCounts { attributes.counts }

  /// A method that is carried out on this actor.
  nonisolated func method(
    _ name: String, takes: String = "", gives: String = "",
    _ body: @escaping @Sendable (isolated FakeBlueZ, DBusInvocation) -> Void
  ) -> DBusMethod {
    DBusMethod(name, takes: takes, gives: gives) { [weak self] invocation in
      self?.assumeIsolated { body($0, invocation) }
    }
  }
}

// Time.
extension FakeBlueZ {
  private func tick() {
    let now = clockwork.beginTick()
    while let address = boards.popDue(at: now) {
      change(address) { board, now in board.advance(to: now) }
    }
    while let order = faults.popDue(at: now) { carryOut(order) }
    while let (value, key, board) = late.popDue(at: now) { deliver(value, of: key, from: board) }
    askAll { _ in [] }
    clockwork.endTick()
    arm()
  }

  func arm() {
    let times = [boards.next(), adapters.nextEvent(), faults.next, late.next]
    clockwork.arm(for: times.compactMap { $0 }.min(), on: loop) { [weak self] in
      self?.assumeIsolated { $0.tick() }
    }
  }

  /// Holds a notification back, behind those of its board that are held back already.
  func hold(_ value: [UInt8], of key: Characteristic, from board: BluetoothAddress, for delay: Duration) {
    late.add(value, of: key, from: board, at: clockwork.now + delay)
    arm()
  }

  /// Has faults happen at their times: before this returns where that has come.
  package func schedule(_ orders: [FaultOrder]) {
    for order in orders { faults.add(order) }
    let now = clockwork.read()
    if let next = faults.next, next <= now { tick() } else { arm() }
  }

  /// Simulated time since the start.
  package var now: Duration { clockwork.read() }
}

// Decisions and what they do.
extension FakeBlueZ {
  /// Has an adapter decide something, and carries it out.
  func ask(_ number: Int, _ question: (inout FakeAdapter) -> [FakeAction]) {
    perform(adapters.all[number].advance(to: clockwork.read()), on: number)
    perform(question(&adapters.all[number]), on: number)
    arm()
  }

  /// The same of all adapters.
  func askAll(_ question: (inout FakeAdapter) -> [FakeAction]) {
    for number in adapters.numbers { ask(number, question) }
  }

  /// The same for a client's call, which is answered now or later.
  func ask(
    _ number: Int, _ invocation: DBusInvocation, _ question: (inout FakeAdapter, FakeCall) -> [FakeAction]
  ) {
    let call = calls.add(invocation)
    ask(number) { question(&$0, call) }
  }

  /// Strictly in the order of decision, also when carrying out one action leads to others.
  private func perform(_ actions: [FakeAction], on number: Int) {
    decided += actions.map { (action: $0, adapter: number) }
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !decided.isEmpty {
      let (action, number) = decided.removeFirst()
      let objects = objects[number]
      switch action {
      case .reply, .fail, .forsake: calls.answer(action)
      case .adapterChanged, .deviceAppeared, .deviceChanged, .batteryRemoved: objects.show(action, of: self)
      case .deviceRemoved(let board):
        attributes.remove(board, below: objects.path(of: board))
        objects.removeDevice(board)
      case .linkOpened(let board): linkOpened(board, on: number)
      case .linkClosed(let board):
        attributes.releaseSockets(of: board)
        change(board) { board, now in board.disconnected(at: now) }
      case .attributesDiscovered(let board): attributesDiscovered(board, on: number)
      }
    }
  }

  private func linkOpened(_ board: BluetoothAddress, on number: Int) {
    let services = FakeRearming.services(of: board, on: number, in: self)
    adapters.all[number].services[board] = AttributeTree(of: services, below: "").services
    change(board) { board, now in board.connected(at: now) }
    FakeRearming.rearm(board, on: number, of: self)
  }

  /// Does something to a board and lets the world see the effects.
  func change(
    _ address: BluetoothAddress, _ action: (inout any SimulatedBoard, Duration) -> [BoardEffect]
  ) {
    carry(boards.change(address, at: clockwork.read(), action), from: address)
  }

  func carry(_ effects: [BoardEffect], from address: BluetoothAddress) {
    var address = address
    for effect in effects {
      switch effect {
      case .notify(let characteristic, let value): carry(value, of: characteristic, from: address)
      case .dropLink: askAll { $0.linkLost(address) }
      case .advertisementChanged: advertises(address)
      case .moved(let place):
        advertises(address)
        address = place
        advertises(place)
      case .noted: break
      }
    }
    arm()
  }

  func advertises(_ address: BluetoothAddress) {
    askAll { [advertisement = boards.advertisement(at: address)] in $0.advertises(address, advertisement) }
  }

  private func attributesDiscovered(_ board: BluetoothAddress, on number: Int) {
    attributes.export(
      FakeRearming.services(of: board, on: number, in: self), of: board,
      below: objects[number].path(of: board),
      mtu: boards[board]?.mtu ?? FakeAttributes.usualMTU, for: self)
    guard case .success(let value) = read(MetaMotionAttributes.batteryLevel, of: board),
      let percent = value.first
    else { return }
    objects[number].exportBattery(percent, of: board)
  }

  /// True while the board's attributes can be used.
  func isReady(_ board: BluetoothAddress) -> Bool { adapters.holder(of: board) != nil }
}

// The hand of whoever tests.
extension FakeBlueZ {
  /// Does something to a board, such as pressing its button.
  package func perform<Board: SimulatedBoard>(
    on id: BoardID, as type: Board.Type = Board.self,
    _ action: @Sendable (inout Board, Duration) -> [BoardEffect]
  ) {
    let place = boards.place(of: id.address)
    carry(boards.change(place, at: clockwork.read(), as: type, action), from: place)
  }

  /// A board as it is now.
  package func board<Board: SimulatedBoard>(_ id: BoardID, as type: Board.Type = Board.self) -> Board? {
    boards[boards.place(of: id.address)] as? Board
  }

  /// Changes the air from now on.
  package func changeAir(_ action: @Sendable (inout Air) -> Void) { adapters.change { action(&$0.air) } }

  /// The radio loses a board's link.
  package func loseLink(of id: BoardID) {
    askAll { [place = boards.place(of: id.address)] in $0.linkLost(place) }
  }
}
