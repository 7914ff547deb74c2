import BoardKit
import DBus
import FleetModel

/// Notifications to clients, by signal or by socket, and writes by socket.
extension FakeBlueZ {
  /// Changes an endpoint in place; nil if there is none.
  private func with<Result>(
    _ key: Characteristic, of board: BluetoothAddress, _ body: (inout Endpoint) -> Result
  ) -> Result? {
    guard let index = endpoints[board]?.firstIndex(where: { $0.key == key }) else { return nil }
    return endpoints[board].map { _ in body(&endpoints[board, default: []][index]) }
  }

  private func show(_ endpoint: Endpoint, _ changes: [String: DBusValue]) {
    show(endpoint.path, BlueZNames.gattCharacteristic, changes)
  }

  /// From the board into the air, which may hold it back.
  func carry(_ value: [UInt8], of key: Characteristic, from board: BluetoothAddress) {
    let condition = condition(of: board)
    guard !condition.isMute else {
      counts.lost += 1
      return
    }
    let delay = condition.arrival(of: now) - now
    if delay <= .zero, !late.isAnyOnItsWay(from: board) {
      return deliver(value, of: key, from: board)
    }
    hold(value, of: key, from: board, for: delay)
  }

  func deliver(_ value: [UInt8], of key: Characteristic, from board: BluetoothAddress) {
    guard let endpoint = endpoint(key, of: board), isReady(board) else { return }
    guard !losesNotification() else {
      counts.lost += 1
      return
    }
    if key == MetaMotionAttributes.batteryLevel, let percent = value.first {
      // bluetoothd listens to the battery by itself.
      show(path(of: board), BlueZNames.battery, ["Percentage": .byte(percent)])
    }
    if let socket = endpoint.notifySocket {
      if socket.send(value) { counts.delivered += 1 } else { counts.dropped += 1 }
    } else if endpoint.isNotifying {
      show(endpoint, ["Value": .bytes(value)])
      counts.delivered += 1
    } else {
      counts.unheard += 1
    }
  }

  func startNotify(_ key: Characteristic, of board: BluetoothAddress, _ invocation: DBusInvocation) {
    guard let endpoint = endpoint(key, of: board),
      !endpoint.properties.isDisjoint(with: [.notify, .indicate])
    else { return invocation.fail(.notSupported) }
    var sessions = endpoint.sessions
    do throws(DBusFailure) {
      let isFirst = try sessions.start(invocation.sender)
      _ = with(key, of: board) { $0.sessions = sessions }
      // Without a link it takes effect on connecting.
      if isFirst, isReady(board) { setNotifying(true, key, of: board) }
      invocation.reply()
    } catch {
      invocation.fail(error)
    }
  }

  func stopNotify(_ key: Characteristic, of board: BluetoothAddress, _ invocation: DBusInvocation) {
    guard var sessions = endpoint(key, of: board)?.sessions else { return invocation.fail(.noNotifySession) }
    do throws(DBusFailure) {
      let stopped = try sessions.stop(invocation.sender)
      _ = with(key, of: board) { $0.sessions = sessions }
      switch stopped {
      case .released: releaseNotifySocket(key, of: board)
      case .lastSessionEnded: setNotifying(false, key, of: board)
      case .sessionEnded: break
      }
      invocation.reply()
    } catch {
      invocation.fail(error)
    }
  }

  /// A client left the bus: its sessions end, links stay.
  func clientLeft(_ client: String) {
    for board in endpoints.keys.sorted() {
      for endpoint in endpoints[board] ?? [] {
        let wasLast = with(endpoint.key, of: board) { $0.sessions.clientLeft(client) }
        if wasLast ?? false { setNotifying(false, endpoint.key, of: board) }
      }
    }
    ask { $0.clientLeft(client) }
  }

  /// bluetoothd subscribes again by itself for sessions from before the link.
  func resumeNotifying(_ board: BluetoothAddress) {
    for endpoint in endpoints[board] ?? [] where !endpoint.sessions.clients.isEmpty {
      setNotifying(true, endpoint.key, of: board)
    }
  }

  private func setNotifying(_ isOn: Bool, _ key: Characteristic, of board: BluetoothAddress) {
    guard let endpoint = endpoint(key, of: board), endpoint.isNotifying != isOn else { return }
    _ = with(key, of: board) { $0.isNotifying = isOn }
    show(endpoint, ["Notifying": .boolean(isOn)])
  }
}

// Sockets.
extension FakeBlueZ {
  func acquireNotify(_ key: Characteristic, of board: BluetoothAddress, _ invocation: DBusInvocation) {
    guard isReady(board), let endpoint = endpoint(key, of: board) else {
      return invocation.fail(.notConnected)
    }
    guard endpoint.properties.contains(.notify) else { return invocation.fail(.notSupported) }
    var sessions = endpoint.sessions
    do throws(DBusFailure) {
      try sessions.acquire()
    } catch {
      return invocation.fail(error)
    }
    let pair = PacketSocket.pair(on: loop) { [weak self] in
      self?.assumeIsolated { $0.notifySocketReady(key, of: board) }
    }
    guard let pair else { return invocation.fail(.notAvailable) }
    _ = with(key, of: board) {
      $0.sessions = sessions
      $0.notifySocket = pair.ours
    }
    show(endpoint, ["NotifyAcquired": .boolean(true)])
    invocation.reply([.descriptor(pair.theirs), .uint16(Self.mtu)])
  }

  func acquireWrite(_ key: Characteristic, of board: BluetoothAddress, _ invocation: DBusInvocation) {
    guard isReady(board), let endpoint = endpoint(key, of: board) else {
      return invocation.fail(.notConnected)
    }
    guard endpoint.properties.contains(.writeWithoutResponse) else { return invocation.fail(.notSupported) }
    guard endpoint.writeSocket == nil else { return invocation.fail(.writeAcquired) }
    let pair = PacketSocket.pair(on: loop) { [weak self] in
      self?.assumeIsolated { $0.writeSocketReady(key, of: board) }
    }
    guard let pair else { return invocation.fail(.notAvailable) }
    _ = with(key, of: board) { $0.writeSocket = pair.ours }
    show(endpoint, ["WriteAcquired": .boolean(true)])
    invocation.reply([.descriptor(pair.theirs), .uint16(Self.mtu)])
  }

  /// Clients have nothing to say here, so this is their leaving.
  private func notifySocketReady(_ key: Characteristic, of board: BluetoothAddress) {
    guard endpoint(key, of: board)?.notifySocket?.receive() == .hangUp else { return }
    _ = with(key, of: board) { $0.sessions.isAcquired = false }
    releaseNotifySocket(key, of: board)
  }

  private func writeSocketReady(_ key: Characteristic, of board: BluetoothAddress) {
    switch endpoint(key, of: board)?.writeSocket?.receive() {
    case .packet(let value) where value.count <= Self.largestPayload:
      write(value, to: key, of: board, as: .command, nil)
    // A longer one is lost without a word.
    case .packet, .nothing, nil: break
    case .hangUp: releaseWriteSocket(key, of: board)
    }
  }

  /// The link is gone: clients read what is queued, then the end.
  func releaseSockets(of board: BluetoothAddress) {
    for endpoint in endpoints[board] ?? [] {
      _ = with(endpoint.key, of: board) { $0.sessions.isAcquired = false }
      releaseNotifySocket(endpoint.key, of: board)
      releaseWriteSocket(endpoint.key, of: board)
    }
  }

  private func releaseNotifySocket(_ key: Characteristic, of board: BluetoothAddress) {
    guard let endpoint = endpoint(key, of: board), let socket = endpoint.notifySocket else { return }
    socket.close()
    _ = with(key, of: board) { $0.notifySocket = nil }
    show(endpoint, ["NotifyAcquired": .boolean(false)])
  }

  private func releaseWriteSocket(_ key: Characteristic, of board: BluetoothAddress) {
    guard let endpoint = endpoint(key, of: board), let socket = endpoint.writeSocket else { return }
    socket.close()
    _ = with(key, of: board) { $0.writeSocket = nil }
    show(endpoint, ["WriteAcquired": .boolean(false)])
  }
}
