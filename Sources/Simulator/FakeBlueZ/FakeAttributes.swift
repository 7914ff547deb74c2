import BoardKit
import DBus
import EventLoops
import FleetModel

/// The objects of boards' attributes, and who listens to them. They stay when the link goes, as long as the device
/// does. Confined to the loop of its `FakeBlueZ`.
final class FakeAttributes {
  static let usualMTU: UInt16 = 247
  private static let headerLength = 3

  private let server: DBusObjectServer
  let loop: EventLoop
  private var endpoints: [BluetoothAddress: [Endpoint]] = [:]
  private var trees: [BluetoothAddress: AttributeTree] = [:]
  private var mtus: [BluetoothAddress: UInt16] = [:]
  /// A client switched notifications of a connected board.
  var onSubscription: ((BluetoothAddress, Characteristic, Bool) -> Void)?
  var counts = NotificationCounts()

  init(on server: DBusObjectServer, loop: EventLoop) { (self.server, self.loop) = (server, loop) }

  func endpoint(_ key: Characteristic, of board: BluetoothAddress) -> Endpoint? {
    endpoints[board]?.first { $0.key == key }
  }

  func all(of board: BluetoothAddress) -> [Endpoint] { endpoints[board] ?? [] }

  /// What the link to a board was opened with.
  func mtu(of board: BluetoothAddress) -> UInt16 { mtus[board] ?? Self.usualMTU }

  /// What one packet to a board may hold.
  func largestPayload(of board: BluetoothAddress) -> Int { Int(mtu(of: board)) - Self.headerLength }

  /// What is shown of a board's services below a device; nil where nothing is.
  func services(of board: BluetoothAddress, below device: String) -> [AttributeService]? {
    trees[board].flatMap { $0.isBelow(device) ? $0.boardServices : nil }
  }

  /// Paths of the characteristics below a device for which somebody has a notify session.
  func openSessions(of board: BluetoothAddress, below device: String) -> [String] {
    guard trees[board]?.isBelow(device) ?? false else { return [] }
    return all(of: board).filter { !$0.sessions.clients.isEmpty }.map(\.path)
  }

  /// Whether the characteristic at `path` is subscribed to.
  func isNotifying(at path: String, of board: BluetoothAddress) -> Bool {
    all(of: board).first { $0.path == path }?.isNotifying ?? false
  }

  /// Changes an endpoint in place; nil if there is none.
  func with<Result>(
    _ key: Characteristic, of board: BluetoothAddress, _ body: (inout Endpoint) -> Result
  ) -> Result? {
    guard let index = endpoints[board]?.firstIndex(where: { $0.key == key }) else { return nil }
    return endpoints[board].map { _ in body(&endpoints[board, default: []][index]) }
  }

  func show(_ endpoint: Endpoint, _ changes: [String: DBusValue]) {
    server.assumeIsolated { [path = endpoint.path] in
      $0.change(path, BlueZNames.gattCharacteristic, set: changes, invalidate: [])
    }
  }

  /// A board's attributes were discovered, and lie below `device`.
  func export(
    _ services: [AttributeService], of board: BluetoothAddress, below device: String, mtu: UInt16,
    for fake: FakeBlueZ
  ) {
    let tree = AttributeTree(of: services, below: device)
    if trees[board] != tree || mtus[board] != mtu {
      remove(board)
      (trees[board], mtus[board]) = (tree, mtu)
      endpoints[board] = tree.objects.compactMap { object in
        guard case .characteristic(let key, let properties, _) = object.kind else { return nil }
        return Endpoint(path: object.path, key: key, properties: properties)
      }
      for object in tree.objects {
        let interface = FakeInterfaces.interface(of: object, board, device, mtu: mtu, for: fake)
        server.assumeIsolated { $0.export([interface], at: object.path) }
      }
    }
    // bluetoothd subscribes again by itself for sessions from before the link.
    for endpoint in endpoints[board] ?? [] where !endpoint.sessions.clients.isEmpty {
      setNotifying(true, endpoint.key, of: board)
    }
  }

  /// The device of a board is gone. Where the board has its attributes below another adapter's device, they stay.
  func remove(_ board: BluetoothAddress, below device: String) {
    guard trees[board]?.isBelow(device) == true else { return }
    remove(board)
  }

  private func remove(_ board: BluetoothAddress) {
    releaseSockets(of: board)
    (endpoints[board], mtus[board]) = (nil, nil)
    for path in trees.removeValue(forKey: board)?.pathsBottomUp ?? [] {
      server.assumeIsolated { $0.remove(at: path) }
    }
  }

  /// bluetoothd is dead: sockets end, objects are nobody's.
  func die() {
    for board in endpoints.keys { releaseSockets(of: board) }
    (endpoints, trees, mtus) = ([:], [:], [:])
  }

  /// As a process that was killed: sockets end, nothing is said.
  func closeSockets() {
    for endpoint in endpoints.values.joined() { endpoint.closeSockets() }
    endpoints = [:]
  }
}

// Who listens.
extension FakeAttributes {
  func startNotify(
    _ key: Characteristic, of board: BluetoothAddress, isReady: Bool, _ invocation: DBusInvocation
  ) {
    guard let endpoint = endpoint(key, of: board),
      !endpoint.properties.isDisjoint(with: [.notify, .indicate])
    else { return invocation.fail(.notSupported) }
    var sessions = endpoint.sessions
    do throws(DBusFailure) {
      let isFirst = try sessions.start(invocation.sender)
      _ = with(key, of: board) { $0.sessions = sessions }
      // Without a link it takes effect on connecting.
      if isFirst, isReady { setNotifying(true, key, of: board) }
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

  /// A client left the bus: its sessions end.
  func clientLeft(_ client: String) {
    for board in endpoints.keys.sorted() {
      for endpoint in endpoints[board] ?? [] {
        let wasLast = with(endpoint.key, of: board) { $0.sessions.clientLeft(client) }
        if wasLast ?? false { setNotifying(false, endpoint.key, of: board) }
      }
    }
  }

  private func setNotifying(_ isOn: Bool, _ key: Characteristic, of board: BluetoothAddress) {
    guard let endpoint = endpoint(key, of: board), endpoint.isNotifying != isOn else { return }
    _ = with(key, of: board) { $0.isNotifying = isOn }
    onSubscription?(board, key, isOn)
    show(endpoint, ["Notifying": .boolean(isOn)])
  }

  /// To whoever listens, by signal or by socket.
  func deliver(_ value: [UInt8], of key: Characteristic, from board: BluetoothAddress) {
    guard let endpoint = endpoint(key, of: board) else { return }
    if let socket = endpoint.notifySocket {
      if socket.send(value) { counts.delivered += 1 } else { counts.dropped += 1 }
    } else if endpoint.isNotifying {
      show(endpoint, ["Value": .bytes(value)])
      counts.delivered += 1
    } else {
      counts.unheard += 1
    }
  }
}

/// What became of the boards' notifications.
package struct NotificationCounts: Sendable, Equatable {
  package var delivered = 0
  /// The client's socket was full.
  package var dropped = 0
  /// Bad air.
  package var lost = 0
  /// Nobody listened.
  package var unheard = 0
}
