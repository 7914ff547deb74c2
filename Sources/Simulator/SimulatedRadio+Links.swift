package import BoardKit
package import FleetModel

extension SimulatedRadio {
  package func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    adapters.attempts += 1
    updateDiscovery()
    defer {
      adapters.attempts -= 1
      updateDiscovery()
    }
    let deadline = uptime + timeout
    let owner = links.owner
    // The link of somebody who is no more: to connect is to take it over.
    if isUsable, let number = links.takeOver(board.address, via: adapter) {
      return SimulatedLink(board: board, adapter: adapter, number: number, radio: self)
    }
    try check(board, adapter)
    switch air.attempt(on: board.address) {
    case .silence:
      try await timekeeper.pause(air.conditions.connectTimeout, until: deadline)
      throw LinkFailure(.unreachable, "le-connection-abort-by-local")
    case .refused(let delay):
      try await timekeeper.pause(delay, until: deadline)
      throw LinkFailure(.refused, "le-connection-abort-by-local")
    case .opens(let delay):
      try await timekeeper.pause(delay, until: deadline)
      if boards[board.address]?.advertisement == nil {
        try await timekeeper.pause(air.conditions.connectTimeout, until: deadline)
        throw LinkFailure(.unreachable, "le-connection-abort-by-local")
      }
      try check(board, adapter)
      let number = linkUp(board, adapter, of: owner)
      do {
        try await timekeeper.pause(air.discoveryTime(), until: deadline)
      } catch {
        end(number, error)
        _ = links.takeFailure(of: number)
        throw error
      }
      if let failure = links.takeFailure(of: number) { throw failure }
      return SimulatedLink(board: board, adapter: adapter, number: number, radio: self)
    }
  }

  private func check(_ board: BoardID, _ adapter: AdapterID) throws(LinkFailure) {
    guard isRunning else { throw LinkFailure(.serviceGone, "the simulation is not running") }
    try adapters.require(adapter)
    try links.requireRoom(for: board.address, on: adapter, slots: air.conditions.slots)
  }

  private func linkUp(_ board: BoardID, _ adapter: AdapterID, of owner: Int) -> UInt64 {
    let number = links.add(board.address, via: adapter, of: owner)
    if let life = air.linkLife() { agenda.set(.loss(link: number), at: uptime + life) }
    report(.connection(board, adapter, isConnected: true))
    change(board.address) { board, now in board.connected(at: now) }
    return number
  }

  /// The link breaks; what the board sent until now has arrived.
  func lose(_ number: UInt64) {
    guard let link = links[number] else { return }
    change(link.address) { board, now in board.advance(to: now) }
    end(number, LinkFailure(.linkLost, "the link timed out"))
  }

  /// The link is over. Its owner is notified now, or when it opens it.
  func end(_ number: UInt64, _ failure: LinkFailure) {
    guard let link = links.end(number, failure) else { return }
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
    if let failure = links.open(link.number, received: received, ended: ended) { ended(failure) }
  }

  func subscribe(_ link: SimulatedLink, to characteristic: Characteristic) throws(LinkFailure) {
    let properties = try properties(of: characteristic, over: link)
    guard properties.contains(.notify) else { throw LinkFailure(.other, "Operation is not supported") }
    links.subscribe(link.number, to: characteristic)
  }

  func read(_ link: SimulatedLink, _ characteristic: Characteristic) throws(LinkFailure) -> [UInt8] {
    _ = try properties(of: characteristic, over: link)
    let address = link.board.address
    defer { wakeIfNeeded() }
    return try boards.read(characteristic, of: address, at: uptime, pausing: pause(of: address))
      .mapError(Self.failure).get()
  }

  func write(
    _ link: SimulatedLink, _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
  ) throws(LinkFailure) {
    _ = try properties(of: characteristic, over: link)
    let address = link.board.address
    let outcome = boards.write(
      value, to: characteristic, of: address, as: kind, at: uptime, pausing: pause(of: address))
    carry((try? outcome.get()) ?? [], from: address)
    // A write without response never learns what became of it.
    if kind == .request { _ = try outcome.mapError(Self.failure).get() }
  }

  func disconnect(_ link: SimulatedLink) { end(link.number, LinkFailure(.closed, "disconnected")) }

  private func properties(
    of characteristic: Characteristic, over link: SimulatedLink
  ) throws(LinkFailure) -> AttributeProperties {
    guard let connection = links[link.number] else { throw LinkFailure(.linkLost, "Not connected") }
    if let failure = connection.failure { throw failure }
    guard let properties = boards.properties(of: characteristic, of: connection.address) else {
      throw LinkFailure(.servicesMissing, "the board has no characteristic \(characteristic.uuid)")
    }
    return properties
  }

  private static func failure(_ error: AttributeError) -> LinkFailure {
    LinkFailure(.other, "Operation failed with ATT error: \(error)")
  }
}

// From the board to the owner of the link.
extension SimulatedRadio {
  func carry(_ value: [UInt8], of characteristic: Characteristic, from address: BluetoothAddress) {
    guard let number = links.number(of: address), let link = links[number],
      link.subscriptions.contains(characteristic), !air.losesNotification()
    else { return }
    let due = max(air.arrival(from: address, at: uptime), link.packets.last?.due ?? .zero)
    let packet = RadioLinks.Packet(due: due, characteristic: characteristic, value: value)
    if due <= uptime, link.packets.isEmpty {
      link.hand(packet, at: timekeeper.now)
    } else if links.queue(packet, on: number) {
      agenda.set(.delivery(link: number), at: due)
    }
  }

  func deliver(_ number: UInt64) {
    while let link = links[number], let packet = links.popDue(on: number, at: uptime) {
      link.hand(packet, at: timekeeper.now)
    }
    agenda.set(.delivery(link: number), at: links[number]?.packets.first?.due)
  }
}

extension Timekeeper {
  /// A stage of an attempt to connect. Throws at once when cancelled, and at the deadline if that comes first.
  fileprivate func pause(_ duration: Duration, until deadline: Duration) async throws(LinkFailure) {
    let isLate = uptime + duration > deadline
    do {
      try await sleep(for: min(duration, deadline - uptime))
    } catch {
      throw LinkFailure(.closed, "the attempt was cancelled")
    }
    if isLate { throw LinkFailure(.timedOut, "no link within the time allowed") }
  }
}
