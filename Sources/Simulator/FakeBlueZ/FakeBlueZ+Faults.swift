import BoardKit
import DBus
import FleetModel

/// What goes wrong because somebody asked for it.
extension FakeBlueZ {
  func condition(of board: BluetoothAddress) -> ActiveFaults { conditions[board] ?? ActiveFaults() }

  func carryOut(_ order: FaultOrder) {
    switch order.fault {
    case .adapter(let fault): carryOut(fault)
    case .service(.gone): die()
    case .service(.back): returnToLife()
    default: for board in order.boards { carryOut(order.fault, on: board) }
    }
  }

  private func carryOut(_ fault: Fault, on board: BluetoothAddress) {
    if let boardFault = fault.boardFault {
      return change(board) { board, now in board.apply(boardFault, at: now) }
    }
    switch fault {
    case .drop: ask { $0.linkLost(board) }
    case .flood(let count):
      for number in 0..<count {
        carry(Noise.sample(number), of: MetaMotionAttributes.notification, from: board)
      }
    case .malformed(let count):
      for number in 0..<count {
        carry(Noise.nonsense(number), of: MetaMotionAttributes.notification, from: board)
      }
    case .apply(let lasting): apply(lasting, board)
    case .heal(let kind): heal(kind, board)
    case .reset, .battery, .foreignHost, .adapter, .service: break
    }
  }

  private func apply(_ lasting: LastingFault, _ board: BluetoothAddress) {
    conditions[board, default: ActiveFaults()].apply(lasting)
    guard lasting == .vanished else { return }
    ask { adapter in
      adapter.air.outOfRange.insert(board)
      return adapter.linkLost(board)
    }
  }

  private func heal(_ kind: LastingFault.Kind?, _ board: BluetoothAddress) {
    let wasVanished = condition(of: board).isVanished
    conditions[board]?.heal(kind)
    change(board) { board, now in board.apply(.healed(kind), at: now) }
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
      objects.adapterNumber += 1
      returnAdapter()
    case .back:
      if adapter.isPresent { ask { $0.unblock() } } else { returnAdapter() }
    }
  }

  private func removeAdapter() {
    guard adapter.isPresent else { return }
    ask { $0.leave() }
    objects.removeAdapter()
  }

  private func returnAdapter() {
    guard isServing else { return }
    adapter = adapter.successor
    showAdapter()
  }

  /// As after `kill -9`: the name goes without a word, sockets end, nobody answers; the kernel drops the links.
  private func die() {
    guard isServing else { return }
    isServing = false
    connection.callBus("ReleaseName", .string(BlueZNames.service))
    calls.forsake()
    let connected = adapter.devices.values.filter(\.isUp).map(\.address).sorted()
    attributes.die()
    objects.removeAll()
    late = LateNotifications()
    adapter = adapter.successor
    for board in connected { change(board) { board, now in board.disconnected(at: now) } }
  }

  private func returnToLife() {
    guard !isServing else { return }
    isServing = true
    show()
    connection.callBus("RequestName", .string(BlueZNames.service), .uint32(0))
  }
}

extension DBusConnection {
  /// Calls the bus itself, whatever it answers.
  fileprivate nonisolated func callBus(_ member: String, _ arguments: DBusValue...) {
    let bus = "org.freedesktop.DBus"
    assumeIsolated {
      _ = $0.send(
        DBusMethodCall(to: bus, "/org/freedesktop/DBus", bus, member, arguments), deadline: .seconds(8)
      ) { _ in }
    }
  }
}
