import BoardKit
import DBus
import FleetModel

/// What happens to the adapter without any client having asked for it.
extension FakeAdapter {
  mutating func switchPower(_ isOn: Bool) -> [FakeAction] {
    guard isPresent, isOn != isPowered else { return [] }
    return changePower(isOn)
  }

  mutating func block() -> [FakeAction] {
    isBlocked = true
    return switchPower(false)
  }

  mutating func unblock() -> [FakeAction] {
    isBlocked = false
    return switchPower(true)
  }

  /// Pulled out: every device goes, its link first.
  mutating func leave() -> [FakeAction] {
    isPresent = false
    for board in devices.keys.sorted() {
      abort(board, .aborted)
      lose(board)
      if devices[board] != nil { remove(board) }
    }
    return takeActions()
  }

  /// The adapter as it is after it was plugged in again, or bluetoothd started anew.
  var successor: FakeAdapter {
    var next = FakeAdapter(air: air, memory: memory)
    next.now = now
    next.services = services
    return next
  }
}
