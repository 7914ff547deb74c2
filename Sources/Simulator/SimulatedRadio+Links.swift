package import BoardKit
package import FleetModel

extension SimulatedRadio {
  package func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    try await SimulatedConnectAttempt(board: board, adapter: adapter, deadline: uptime + timeout).run(
      by: self)
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
    change(link.board.address) { board, now in board.subscribed(true, to: characteristic, at: now) }
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
