import BoardKit
import DBus
import FleetModel

/// What goes wrong because somebody asked for it.
extension FakeBlueZ {
  func condition(of board: BluetoothAddress) -> BoardCondition { conditions[board] ?? BoardCondition() }

  var adapterPath: String { BlueZNames.path(ofAdapter: adapterNumber) }

  func path(of board: BluetoothAddress) -> String { "\(adapterPath)/\(BlueZNames.name(of: board))" }

  func carryOut(_ order: FaultOrder) {
    switch order.fault {
    case .adapter(let fault): carryOut(fault)
    case .service(.gone): die()
    case .service(.back): returnToLife()
    default: for board in order.boards { carryOut(order.fault, on: board) }
    }
  }

  private func carryOut(_ fault: Fault, on board: BluetoothAddress) {
    switch fault {
    case .drop: ask { $0.linkLost(board) }
    case .reset: change(board) { board, now in board.suffer(.reset, at: now) }
    case .battery(let percent):
      change(board) { board, now in board.suffer(.battery(percent: percent), at: now) }
    case .flood(let count):
      for number in 0..<count {
        carry(Self.sample(number), of: MetaMotionAttributes.notification, from: board)
      }
    case .malformed(let count):
      for number in 0..<count {
        carry(
          Self.nonsense[number % Self.nonsense.count], of: MetaMotionAttributes.notification, from: board)
      }
    case .foreignHost: change(board) { board, now in board.suffer(.foreignHost, at: now) }
    case .suffer(.defect(let defect)): change(board) { board, now in board.suffer(.defect(defect), at: now) }
    case .suffer(let ailment): suffer(ailment, board)
    case .heal(let kind): heal(kind, board)
    case .adapter, .service: break
    }
  }

  /// A sample of acceleration that carries its number.
  private static func sample(_ number: Int) -> [UInt8] {
    [0x03, 0x04, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), 0, 0, 0, 0]
  }

  /// Cut off in the header, and behind it.
  private static let nonsense: [[UInt8]] = [[0x77], [0x03], [0x01, 0x01]]

  private func suffer(_ ailment: Ailment, _ board: BluetoothAddress) {
    conditions[board, default: BoardCondition()].suffer(ailment)
    guard ailment == .vanished else { return }
    ask { adapter in
      adapter.air.outOfRange.insert(board)
      return adapter.linkLost(board)
    }
  }

  private func heal(_ kind: Ailment.Kind?, _ board: BluetoothAddress) {
    let wasVanished = condition(of: board).isVanished
    conditions[board]?.heal(kind)
    change(board) { board, now in board.suffer(.healed(kind), at: now) }
    guard wasVanished, !condition(of: board).isVanished else { return }
    ask { [advertisement = boards[board]?.advertisement] adapter in
      adapter.air.outOfRange.remove(board)
      return adapter.advertises(board, advertisement)
    }
  }
}

// The adapter, and bluetoothd itself.
extension FakeBlueZ {
  private func carryOut(_ fault: AdapterFault) {
    switch fault {
    case .off: ask { $0.switchPower(false) }
    case .blocked:
      ask { adapter in
        adapter.isBlocked = true
        return adapter.switchPower(false)
      }
    case .removed: removeAdapter()
    case .renumbered:
      removeAdapter()
      adapterNumber += 1
      returnAdapter()
    case .back:
      if adapter.isPresent { ask { $0.unblock() } } else { returnAdapter() }
    }
  }

  private func removeAdapter() {
    guard adapter.isPresent else { return }
    ask { $0.leave() }
    server.assumeIsolated { [path = adapterPath] in $0.remove(at: path) }
  }

  private func returnAdapter() {
    guard isServing else { return }
    adapter = adapter.successor
    exportAdapter()
    for board in boards.keys.sorted() {
      ask { [boards] in $0.advertises(board, boards[board]?.advertisement) }
    }
  }

  /// As after `kill -9`: the name goes without a word, sockets end, nobody answers; the kernel drops the links.
  private func die() {
    guard isServing else { return }
    isServing = false
    call("ReleaseName", .string(BlueZNames.service))
    forsakeCalls()
    let connected = adapter.devices.values.filter(\.isUp).map(\.address).sorted()
    for board in endpoints.keys { releaseSockets(of: board) }
    server.assumeIsolated { server in
      for path in server.paths.sorted(by: >) where path.hasPrefix(BlueZNames.root) { server.remove(at: path) }
    }
    (endpoints, trees, late) = ([:], [:], LateNotifications())
    adapter = adapter.successor
    for board in connected { change(board) { board, now in board.disconnected(at: now) } }
  }

  private func returnToLife() {
    guard !isServing else { return }
    isServing = true
    show()
    call("RequestName", .string(BlueZNames.service), .uint32(0))
  }

  private func call(_ member: String, _ arguments: DBusValue...) {
    let bus = "org.freedesktop.DBus"
    connection.assumeIsolated {
      _ = $0.send(
        DBusMethodCall(to: bus, "/org/freedesktop/DBus", bus, member, arguments), deadline: .seconds(8)
      ) { _ in }
    }
  }
}
