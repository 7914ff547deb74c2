import BoardKit
import DBus
import FleetModel

/// The sockets that clients acquire, for notifications and for writes.
extension FakeAttributes {
  func acquireNotify(
    _ key: Characteristic, of board: BluetoothAddress, isReady: Bool, _ invocation: DBusInvocation,
    for fake: FakeBlueZ
  ) {
    guard isReady, let endpoint = endpoint(key, of: board) else { return invocation.fail(.notConnected) }
    guard endpoint.properties.contains(.notify) else { return invocation.fail(.notSupported) }
    var sessions = endpoint.sessions
    do throws(DBusFailure) {
      try sessions.acquire()
    } catch {
      return invocation.fail(error)
    }
    let pair = PacketSocket.pair(on: loop) { [weak fake] in
      fake?.assumeIsolated { $0.attributes.notifySocketReady(key, of: board) }
    }
    guard let pair else { return invocation.fail(.notAvailable) }
    _ = with(key, of: board) {
      $0.sessions = sessions
      $0.notifySocket = pair.ours
    }
    onSubscription?(board, key, true)
    show(endpoint, ["NotifyAcquired": .boolean(true)])
    invocation.reply([.descriptor(pair.theirs), .uint16(mtu(of: board))])
  }

  func acquireWrite(
    _ key: Characteristic, of board: BluetoothAddress, isReady: Bool, _ invocation: DBusInvocation,
    for fake: FakeBlueZ
  ) {
    guard isReady, let endpoint = endpoint(key, of: board) else { return invocation.fail(.notConnected) }
    guard endpoint.properties.contains(.writeWithoutResponse) else { return invocation.fail(.notSupported) }
    guard endpoint.writeSocket == nil else { return invocation.fail(.writeAcquired) }
    let pair = PacketSocket.pair(on: loop) { [weak fake] in
      fake?.assumeIsolated { $0.writeSocketReady(key, of: board) }
    }
    guard let pair else { return invocation.fail(.notAvailable) }
    _ = with(key, of: board) { $0.writeSocket = pair.ours }
    show(endpoint, ["WriteAcquired": .boolean(true)])
    invocation.reply([.descriptor(pair.theirs), .uint16(mtu(of: board))])
  }

  /// Clients have nothing to say here, so this is their leaving.
  private func notifySocketReady(_ key: Characteristic, of board: BluetoothAddress) {
    guard endpoint(key, of: board)?.notifySocket?.receive() == .hangUp else { return }
    _ = with(key, of: board) { $0.sessions.isAcquired = false }
    releaseNotifySocket(key, of: board)
  }

  /// What a client wrote into its socket; nil when it has left or wrote nothing that goes over the link.
  func receive(_ key: Characteristic, of board: BluetoothAddress) -> [UInt8]? {
    switch endpoint(key, of: board)?.writeSocket?.receive() {
    case .packet(let value) where value.count <= largestPayload(of: board): return value
    // A longer one is lost without a word.
    case .packet, .nothing, nil: return nil
    case .hangUp:
      releaseWriteSocket(key, of: board)
      return nil
    }
  }

  /// The link is gone: clients read what is queued, then the end.
  func releaseSockets(of board: BluetoothAddress) {
    for endpoint in all(of: board) {
      _ = with(endpoint.key, of: board) { $0.sessions.isAcquired = false }
      releaseNotifySocket(endpoint.key, of: board)
      releaseWriteSocket(endpoint.key, of: board)
    }
  }

  func releaseNotifySocket(_ key: Characteristic, of board: BluetoothAddress) {
    guard let endpoint = endpoint(key, of: board), let socket = endpoint.notifySocket else { return }
    socket.close()
    _ = with(key, of: board) { $0.notifySocket = nil }
    onSubscription?(board, key, false)
    show(endpoint, ["NotifyAcquired": .boolean(false)])
  }

  private func releaseWriteSocket(_ key: Characteristic, of board: BluetoothAddress) {
    guard let endpoint = endpoint(key, of: board), let socket = endpoint.writeSocket else { return }
    socket.close()
    _ = with(key, of: board) { $0.writeSocket = nil }
    show(endpoint, ["WriteAcquired": .boolean(false)])
  }
}
