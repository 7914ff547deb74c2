import BoardKit
import DBus
import FleetModel

/// What goes wrong because somebody asked for it.
extension FakeBlueZ {
  /// Of the board that is at this address now.
  func condition(of board: BluetoothAddress) -> ActiveFaults {
    conditions[boards.own(of: board)] ?? ActiveFaults()
  }

  func carryOut(_ order: FaultOrder) {
    orders?(order, now)
    switch order.fault {
    case .adapter(let fault, let number): FakeOutage.carryOut(fault, on: number, of: self)
    case .service(.gone): FakeOutage.die(self)
    case .service(.back): FakeOutage.returnToLife(self)
    case .radio(let quality): adapters.change(to: quality)
    default: for board in order.boards { carryOut(order.fault, on: boards.place(of: board)) }
    }
  }

  private func carryOut(_ fault: Fault, on board: BluetoothAddress) {
    if let boardFault = fault.boardFault {
      return change(board) { board, now in board.apply(boardFault, at: now) }
    }
    switch fault {
    case .stimulus(let stimulus): change(board) { board, now in board.feel(stimulus, at: now) }
    case .drop: askAll { $0.linkLost(board) }
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
    case .reset, .battery, .foreignHost, .adapter, .service, .radio: break
    }
  }

  private func apply(_ lasting: LastingFault, _ board: BluetoothAddress) {
    conditions[boards.own(of: board), default: ActiveFaults()].apply(lasting)
    guard lasting == .vanished else { return }
    askAll { adapter in
      adapter.air.outOfRange.insert(board)
      return adapter.linkLost(board)
    }
  }

  private func heal(_ kind: LastingFault.Kind?, _ board: BluetoothAddress) {
    let wasVanished = condition(of: board).isVanished
    conditions[boards.own(of: board)]?.heal(kind)
    change(board) { board, now in board.apply(.healed(kind), at: now) }
    guard wasVanished, !condition(of: board).isVanished else { return }
    askAll { [advertisement = boards.advertisement(at: board)] adapter in
      adapter.air.outOfRange.remove(board)
      return adapter.advertises(board, advertisement)
    }
  }
}
