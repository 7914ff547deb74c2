package import BoardKit
package import FleetModel

extension SimulatedRadio {
  /// One link, from the moment it is up until its owner has learnt of its end.
  struct Connection: Sendable {
    let address: BluetoothAddress
    let adapter: AdapterID
    /// Who has it, of all that came one after the other.
    var owner: Int
    var received: (@Sendable (Characteristic, RawSpan, Timestamp) -> Void)?
    var ended: (@Sendable (LinkFailure) -> Void)?
    /// Why it ended; the owner may not have opened it yet.
    var failure: LinkFailure?
    var subscriptions: Set<Characteristic> = []
    /// On their way, in order.
    var packets: [(due: Duration, characteristic: Characteristic, value: [UInt8])] = []
  }

  package func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    attempts += 1
    updateDiscovery()
    defer {
      attempts -= 1
      updateDiscovery()
    }
    let deadline = uptime + timeout
    let owner = owner
    if let left = leftOver(board, adapter) { return left }
    try check(board, adapter)
    switch air.attempt(on: board.address) {
    case .silence:
      try await pause(air.conditions.patience, until: deadline)
      throw LinkFailure(.unreachable, "le-connection-abort-by-local")
    case .refused(let delay):
      try await pause(delay, until: deadline)
      throw LinkFailure(.refused, "le-connection-abort-by-local")
    case .opens(let delay):
      try await pause(delay, until: deadline)
      if boards[board.address]?.advertisement == nil {
        try await pause(air.conditions.patience, until: deadline)
        throw LinkFailure(.unreachable, "le-connection-abort-by-local")
      }
      try check(board, adapter)
      let number = linkUp(board, adapter, of: owner)
      do {
        try await pause(air.discoveryTime(), until: deadline)
      } catch {
        end(number, error)
        links[number] = nil
        throw error
      }
      if let failure = links[number]?.failure {
        links[number] = nil
        throw failure
      }
      return SimulatedLink(board: board, adapter: adapter, number: number, radio: self)
    }
  }

  /// The link of somebody who is no more: to connect is to take it over.
  private func leftOver(_ board: BoardID, _ adapter: AdapterID) -> SimulatedLink? {
    guard isUsable, let number = linkNumber(of: board.address), let link = links[number],
      link.owner != owner, link.adapter == adapter
    else { return nil }
    links[number]?.owner = owner
    return SimulatedLink(board: board, adapter: adapter, number: number, radio: self)
  }

  private func check(_ board: BoardID, _ adapter: AdapterID) throws(LinkFailure) {
    guard isUsable else { throw LinkFailure(.serviceGone, "nobody serves org.bluez") }
    guard isRunning else { throw LinkFailure(.serviceGone, "the simulation does not run") }
    guard let state = state(of: adapter) else { throw LinkFailure(.adapterGone, "no such adapter") }
    guard state == .up else { throw LinkFailure(.adapterOff, "Input/output error") }
    guard linkNumber(of: board.address) == nil else { throw LinkFailure(.busyElsewhere, "already connected") }
    let used = links.values.count { $0.adapter == adapter && $0.failure == nil }
    if let slots = air.conditions.slots, used >= slots {
      throw LinkFailure(.noSlots, "the adapter holds \(slots) links already")
    }
  }

  /// Throws at once when cancelled, and at the deadline if that comes first.
  private func pause(_ duration: Duration, until deadline: Duration) async throws(LinkFailure) {
    let isLate = uptime + duration > deadline
    do {
      try await timekeeper.sleep(for: min(duration, deadline - uptime))
    } catch {
      throw LinkFailure(.closed, "the attempt was cancelled")
    }
    if isLate { throw LinkFailure(.timedOut, "no link within the time allowed") }
  }

  private func linkUp(_ board: BoardID, _ adapter: AdapterID, of owner: Int) -> UInt64 {
    lastLink += 1
    links[lastLink] = Connection(address: board.address, adapter: adapter, owner: owner)
    if let life = air.linkLife() { agenda.set(.loss(link: lastLink), at: uptime + life) }
    report(.connection(board, adapter, isConnected: true))
    change(board.address) { board, now in board.connected(at: now) }
    return lastLink
  }

  /// The link breaks; what the board sent until now has arrived.
  func lose(_ number: UInt64) {
    guard let link = links[number] else { return }
    change(link.address) { board, now in board.advance(to: now) }
    end(number, LinkFailure(.linkLost, "the link timed out"))
  }

  func linkNumber(of address: BluetoothAddress) -> UInt64? {
    links.first { $0.value.address == address && $0.value.failure == nil }?.key
  }

  /// The link is over. Its owner is told now, or when it opens it.
  func end(_ number: UInt64, _ failure: LinkFailure) {
    guard var link = links[number], link.failure == nil else { return }
    link.failure = failure
    links[number] = link.ended == nil ? link : nil
    agenda.set(.loss(link: number), at: nil)
    agenda.set(.delivery(link: number), at: nil)
    link.ended?(failure)
    report(.connection(BoardID(link.address), link.adapter, isConnected: false))
    change(link.address) { board, now in board.disconnected(at: now) }
  }

  func open(
    _ link: SimulatedLink, received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) {
    if let failure = links[link.number]?.failure {
      links[link.number] = nil
      ended(failure)
    } else {
      links[link.number]?.received = received
      links[link.number]?.ended = ended
    }
  }

  func subscribe(_ link: SimulatedLink, to characteristic: Characteristic) throws(LinkFailure) {
    let properties = try properties(of: characteristic, over: link)
    guard properties.contains(.notify) else { throw LinkFailure(.other, "Operation is not supported") }
    links[link.number]?.subscriptions.insert(characteristic)
  }

  func read(_ link: SimulatedLink, _ characteristic: Characteristic) throws(LinkFailure) -> [UInt8] {
    _ = try properties(of: characteristic, over: link)
    var outcome: Result<[UInt8], AttributeError> = .failure(.attributeNotFound)
    change(link.board.address) { board, now in
      outcome = Result { () throws(AttributeError) in try board.read(characteristic, at: now) }
      return []
    }
    return try outcome.mapError(Self.failure).get()
  }

  func write(
    _ link: SimulatedLink, _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
  ) throws(LinkFailure) {
    _ = try properties(of: characteristic, over: link)
    var outcome: Result<Void, AttributeError> = .success(())
    change(link.board.address) { board, now in
      do throws(AttributeError) {
        return try board.write(value, to: characteristic, as: kind, at: now)
      } catch {
        outcome = .failure(error)
        return []
      }
    }
    // A write without response never learns what became of it.
    if kind == .request { try outcome.mapError(Self.failure).get() }
  }

  func disconnect(_ link: SimulatedLink) { end(link.number, LinkFailure(.closed, "disconnected")) }

  private func properties(
    of characteristic: Characteristic, over link: SimulatedLink
  ) throws(LinkFailure) -> AttributeProperties {
    guard let connection = links[link.number] else { throw LinkFailure(.linkLost, "Not connected") }
    if let failure = connection.failure { throw failure }
    let service = boards[connection.address]?.services.first { $0.uuid == characteristic.service }
    guard let attribute = service?.characteristics.first(where: { $0.uuid == characteristic.uuid }) else {
      throw LinkFailure(.servicesMissing, "the board has no characteristic \(characteristic.uuid)")
    }
    return attribute.properties
  }

  private static func failure(_ error: AttributeError) -> LinkFailure {
    LinkFailure(.other, "Operation failed with ATT error: \(error)")
  }
}

// From the board to the owner of the link.
extension SimulatedRadio {
  func carry(_ value: [UInt8], of characteristic: Characteristic, from address: BluetoothAddress) {
    guard let number = linkNumber(of: address), var link = links[number],
      link.subscriptions.contains(characteristic), !air.losesNotification()
    else { return }
    let due = max(air.arrival(from: address, at: uptime), link.packets.last?.due ?? .zero)
    if due <= uptime, link.packets.isEmpty {
      hand(value, of: characteristic, to: link)
    } else {
      link.packets.append((due, characteristic, value))
      links[number] = link
      if link.packets.count == 1 { agenda.set(.delivery(link: number), at: due) }
    }
  }

  func deliver(_ number: UInt64) {
    while let link = links[number], let packet = link.packets.first {
      guard packet.due <= uptime else {
        agenda.set(.delivery(link: number), at: packet.due)
        return
      }
      links[number]?.packets.removeFirst()
      hand(packet.value, of: packet.characteristic, to: link)
    }
  }

  private func hand(_ value: [UInt8], of characteristic: Characteristic, to link: Connection) {
    link.received?(characteristic, value.span.bytes, timekeeper.now)
  }
}
