import BoardKit
import DBus
import FleetModel

/// What goes to boards, and what comes from them.
extension FakeBlueZ {
  func connect(_ board: BluetoothAddress, on adapter: Int, _ invocation: DBusInvocation) {
    let condition = condition(of: board)
    guard !condition.ignores(.connect) else { return }
    if let (name, text) = condition.refusal { return invocation.fail(.error(name: name, text: text)) }
    ask(adapter, invocation) { $0.connect(board, $1) }
  }

  func writeSocketReady(_ key: Characteristic, of board: BluetoothAddress) {
    guard let value = attributes.receive(key, of: board) else { return }
    write(value, to: key, of: board, as: .command, nil)
  }

  func write(
    _ value: [UInt8], to key: Characteristic, of board: BluetoothAddress, as kind: WriteKind,
    _ invocation: DBusInvocation?
  ) {
    let outcome = boards.write(value, to: key, of: board, as: kind, at: now)
    carry((try? outcome.get()) ?? [], from: board)
    switch outcome {
    case .success: invocation?.reply()
    case .failure(let error): invocation?.fail(.attribute(error))
    }
  }

  func read(_ key: Characteristic, of board: BluetoothAddress) -> Result<[UInt8], AttributeError> {
    defer { arm() }
    return boards.read(key, of: board, at: now)
  }

  /// From the board into the air, which may hold it back.
  func carry(_ value: [UInt8], of key: Characteristic, from board: BluetoothAddress) {
    let condition = condition(of: board)
    guard !condition.isMute else {
      attributes.counts.lost += 1
      return
    }
    let delay = condition.arrival(of: now) - now
    if delay <= .zero, !late.isAnyOnItsWay(from: board) {
      return deliver(value, of: key, from: board)
    }
    hold(value, of: key, from: board, for: delay)
  }

  func deliver(_ value: [UInt8], of key: Characteristic, from board: BluetoothAddress) {
    guard attributes.endpoint(key, of: board) != nil, let holder = adapters.holder(of: board) else { return }
    guard !adapters.all[holder].air.losesNotification() else {
      attributes.counts.lost += 1
      return
    }
    if key == MetaMotionAttributes.batteryLevel, let percent = value.first {
      // bluetoothd listens to the battery by itself.
      let objects = objects[holder]
      objects.show(objects.path(of: board), BlueZNames.battery, ["Percentage": .byte(percent)])
    }
    attributes.deliver(value, of: key, from: board)
  }
}
