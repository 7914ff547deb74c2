import BoardKit
package import EventLoops
package import FleetModel

/// Simulated boards for the Bluetooth laboratory, where a real kernel and a real bluetoothd look for them
/// (Tests/BlueZLab/README.md, "Boards from another program"). Radio, attributes' handles and sizes of packets are
/// the laboratory's; what a board says is its firmware's.
package actor LabSocket {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// What a central sees when a board has walked away.
  private static let connectionTimeout: UInt8 = 0x08
  private static let remoteUserTerminated: UInt8 = 0x13

  private var listener: LabListener?
  private var boards: BoardHost
  private var connections: [UInt64: LabConnection] = [:]
  private var lastConnection: UInt64 = 0
  private var places: [BluetoothAddress: Place] = [:]
  private var clockwork = Clockwork(speed: 1)
  private var onLink: (@Sendable (BoardID, Bool) -> Void)?

  /// Where a board is, as the laboratory knows it.
  private struct Place {
    /// What the laboratory takes the board for unless it hears otherwise over the same connection.
    let usual: [AttributeService]
    var shown: [AttributeService]
    var connection: UInt64?
    var link = Link.down
    var isInRange = true
    var isOnAir: Bool?

    init(_ usual: [AttributeService]) { (self.usual, shown) = (usual, usual) }
  }

  private enum Link {
    case down, up
    /// Lost by the board, which says nothing over it any more; the laboratory has not confirmed it yet.
    case ending
  }

  private init(_ boards: [any SimulatedBoard], loop: EventLoop) {
    self.boards = BoardHost(boards)
    self.loop = loop
    for board in boards { places[board.address] = Place(board.services) }
  }

  /// Listens at `path`. Boards that the laboratory has and this program has not stay off the air. `onLink` is told on
  /// the loop when a board's link has come up or gone.
  package static func start(
    boards: [any SimulatedBoard], at path: String, loop: EventLoop,
    onLink: (@Sendable (BoardID, Bool) -> Void)? = nil
  ) async throws(SystemCallFailure) -> LabSocket {
    let socket = LabSocket(boards, loop: loop)
    try await socket.listen(at: path, onLink)
    return socket
  }

  private func listen(
    at path: String, _ onLink: (@Sendable (BoardID, Bool) -> Void)?
  ) throws(SystemCallFailure) {
    self.onLink = onLink
    listener = try LabListener(at: path, on: loop) { [weak self] descriptor in
      self?.assumeIsolated { $0.accept(LabConnection(descriptor)) }
    }
    boards.start()
    arm()
  }

  /// Takes all boards off the air. Repeating it does nothing.
  package func stop() {
    clockwork.stop()
    listener?.close()
    listener = nil
    for number in connections.keys.sorted() { close(number) }
  }
}

// Connections.
extension LabSocket {
  private func accept(_ connection: LabConnection) {
    lastConnection += 1
    let number = lastConnection
    do throws(SystemCallFailure) {
      try connection.open(on: loop) { [weak self] in self?.assumeIsolated { $0.ready(number) } }
      connections[number] = connection
    } catch {
      connection.close()
    }
  }

  private func ready(_ number: UInt64) {
    guard let connection = connections[number] else { return }
    connection.flush()
    guard let frames = connection.receive() else { return close(number) }
    for frame in frames { received(frame, over: number) }
  }

  private func close(_ number: UInt64) {
    connections.removeValue(forKey: number)?.close()
    guard let address = board(of: number) else { return }
    places[address]?.connection = nil
    places[address]?.isOnAir = nil
    if let usual = places[address]?.usual { places[address]?.shown = usual }
    linkEnded(address)
  }

  private func board(of connection: UInt64) -> BluetoothAddress? {
    places.first { $0.value.connection == connection }?.key
  }

  private func send(_ frame: LabFrame.FromBoard, from address: BluetoothAddress) {
    guard let number = places[address]?.connection else { return }
    connections[number]?.send(frame)
  }

  private func received(_ frame: LabFrame.FromLab, over number: UInt64) {
    if case .hello(let address) = frame {
      guard places[address] != nil else {
        connections[number]?.send(.advertise(false))
        return
      }
      places[address]?.connection = number
      return showAdvertising(address)
    }
    guard let address = board(of: number) else { return }
    switch frame {
    case .connected:
      places[address]?.link = .up
      onLink?(BoardID(address), true)
      change(address) { board, now in board.connected(at: now) }
    case .disconnected: linkEnded(address)
    case .write(let value, let uuid, let kind): write(value, to: uuid, of: address, as: kind)
    case .read(let uuid, let request): read(uuid, of: address, request)
    case .subscribe(let uuid, let isOn):
      guard let characteristic = characteristic(uuid, of: address) else { return }
      change(address) { board, now in board.subscribed(isOn, to: characteristic, at: now) }
    case .hello, .other: break
    }
  }

  private func linkEnded(_ address: BluetoothAddress) {
    guard let link = places[address]?.link, link != .down else { return }
    places[address]?.link = .down
    onLink?(BoardID(address), false)
    change(address) { board, now in board.disconnected(at: now) }
    showAdvertising(address)
  }

  /// Says whether the board advertises, and before that what it is, if either is another than before.
  private func showAdvertising(_ address: BluetoothAddress) {
    guard var place = places[address], place.connection != nil else { return }
    let board = boards[boards.place(of: address)]
    let isOnAir = place.isInRange && boards.advertisement(at: boards.place(of: address)) != nil
    if isOnAir, let board, board.services != place.shown, let shape = LabShape(board) {
      place.shown = board.services
      send(.shape(shape), from: address)
    }
    let isChange = place.isOnAir != isOnAir
    place.isOnAir = isOnAir
    places[address] = place
    if isChange { send(.advertise(isOnAir), from: address) }
  }
}

// Boards.
extension LabSocket {
  private func write(
    _ value: [UInt8], to uuid: AttributeUUID, of address: BluetoothAddress, as kind: WriteKind
  ) {
    guard let characteristic = characteristic(uuid, of: address) else { return }
    let effects = boards.write(
      value, to: characteristic, of: boards.place(of: address), as: kind, at: clockwork.read())
    // The laboratory has acknowledged it already.
    carry((try? effects.get()) ?? [], from: address)
  }

  private func read(_ uuid: AttributeUUID, of address: BluetoothAddress, _ number: UInt32) {
    guard let characteristic = characteristic(uuid, of: address) else {
      return send(.unknown(number: number), from: address)
    }
    switch boards.read(characteristic, of: boards.place(of: address), at: clockwork.read()) {
    case .success(let value): send(.value(value, number: number), from: address)
    case .failure(let error): send(.refused(error, number: number), from: address)
    }
    arm()
  }

  private func characteristic(_ uuid: AttributeUUID, of address: BluetoothAddress) -> Characteristic? {
    let service = boards[boards.place(of: address)]?.services.first {
      $0.characteristics.contains { $0.uuid == uuid }
    }
    return service.map { Characteristic(service: $0.uuid, uuid: uuid) }
  }

  /// Does something to a board and lets the world see the effects.
  private func change(
    _ address: BluetoothAddress, _ action: (inout any SimulatedBoard, Duration) -> [BoardEffect]
  ) {
    carry(boards.change(boards.place(of: address), at: clockwork.read(), action), from: address)
  }

  private func carry(_ effects: [BoardEffect], from address: BluetoothAddress) {
    for effect in effects {
      switch effect {
      case .notify(let characteristic, let value): notify(value, of: characteristic, from: address)
      case .dropLink: endLink(of: address, reason: Self.remoteUserTerminated)
      case .advertisementChanged, .moved: showAdvertising(address)
      case .noted: break
      }
    }
    arm()
  }

  private func notify(_ value: [UInt8], of characteristic: Characteristic, from address: BluetoothAddress) {
    guard places[address]?.link == .up else { return }
    send(.notify(characteristic.uuid, value), from: address)
  }

  private func endLink(of address: BluetoothAddress, reason: UInt8) {
    guard places[address]?.link == .up else { return }
    places[address]?.link = .ending
    send(.disconnect(reason: reason), from: address)
  }

  private func tick() {
    let now = clockwork.beginTick()
    while let place = boards.popDue(at: now) {
      change(boards.own(of: place)) { board, now in board.advance(to: now) }
    }
    clockwork.endTick()
    arm()
  }

  private func arm() {
    guard listener != nil else { return }
    clockwork.arm(for: boards.next(), on: loop) { [weak self] in self?.assumeIsolated { $0.tick() } }
  }
}

// The hand of whoever tests.
extension LabSocket {
  /// The radio loses a board's link.
  package func loseLink(of id: BoardID) {
    endLink(of: id.address, reason: Self.connectionTimeout)
  }

  /// Carries a board away, or back.
  package func setInRange(_ isInRange: Bool, _ id: BoardID) {
    places[id.address]?.isInRange = isInRange
    showAdvertising(id.address)
    if !isInRange { loseLink(of: id) }
  }

  /// Something goes wrong with a board.
  package func apply(_ boardFault: BoardFault, _ id: BoardID) {
    change(id.address) { board, now in board.apply(boardFault, at: now) }
  }
}
