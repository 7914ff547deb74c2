import BoardKit
import DBus
import FleetModel

/// Connect, Disconnect, RemoveDevice, and what the radio makes of them.
extension FakeAdapter {
  mutating func connect(_ board: BluetoothAddress, _ call: FakeCall) -> [FakeAction] {
    guard let device = devices[board] else { return [.fail(call, .doesNotExist)] }
    guard isPowered else { return [.fail(call, .adapterOff)] }
    switch device.link {
    case .connecting: return [.fail(call, .alreadyConnecting)]
    // Also while the link is being closed, and then it goes down all the same.
    case .connected, .resolved, .disconnecting: return [.reply(call)]
    case .idle:
      devices[board]?.link = .connecting(call)
      agenda.set(.forget(board), at: nil)
      agenda.set(.giveUp(board), at: now + air.conditions.connectTimeout)
      if !isDiscovering { lookFor(board) }
      return []
    }
  }

  mutating func disconnect(_ board: BluetoothAddress, _ call: FakeCall) -> [FakeAction] {
    switch devices[board]?.link {
    case nil: return [.fail(call, .doesNotExist)]
    case .idle: return [.reply(call)]
    case .connecting:
      abort(board, .connectionCancelled)
      return takeActions() + [.reply(call)]
    case .connected(let answering):
      devices[board]?.link = .disconnecting(calls: [answering, call].compactMap { $0 }, wasResolved: false)
      agenda.set(.answer(board), at: nil)
      agenda.set(.resolve(board), at: nil)
      agenda.set(.close(board), at: now + FakeDelays.closing)
      return []
    case .resolved:
      devices[board]?.link = .disconnecting(calls: [call], wasResolved: true)
      agenda.set(.close(board), at: now + FakeDelays.closing)
      return [.batteryRemoved(board)]
    case .disconnecting(let calls, let wasResolved):
      devices[board]?.link = .disconnecting(calls: calls + [call], wasResolved: wasResolved)
      return []
    }
  }

  mutating func removeDevice(_ board: BluetoothAddress, _ call: FakeCall) -> [FakeAction] {
    guard let device = devices[board] else { return [.fail(call, .doesNotExist)] }
    if device.isUp {
      devices[board]?.isBeingRemoved = true
      return disconnect(board, call)
    }
    if case .connecting(let waiting) = device.link { actions.append(.forsake(waiting)) }
    remove(board)
    return takeActions() + [.reply(call)]
  }

  /// The board refuses to pair, and BlueZ drops the link.
  mutating func pair(_ board: BluetoothAddress, _ call: FakeCall) -> [FakeAction] {
    actions.append(.fail(call, .authenticationFailed))
    lose(board)
    return takeActions()
  }

  /// The board ended the link, or the radio lost it.
  mutating func linkLost(_ board: BluetoothAddress) -> [FakeAction] {
    lose(board)
    return takeActions()
  }
}

// Opening.
extension FakeAdapter {
  /// Without discovery the controller itself waits for the board's next advertisement.
  mutating func lookFor(_ board: BluetoothAddress) {
    guard advertisements[board] != nil, !air.outOfRange.contains(board) else { return }
    attempt(board)
  }

  /// The board was heard: if somebody waits to connect, now is the time.
  mutating func attempt(_ board: BluetoothAddress) {
    guard case .connecting = devices[board]?.link else { return }
    switch air.attempt(on: board) {
    case .silence: break
    case .refused(let delay): agenda.set(.refuse(board), at: now + delay)
    case .opens(let delay):
      controllerIsFreeAt = max(now + delay, controllerIsFreeAt + FakeDelays.opening)
      agenda.set(.open(board), at: controllerIsFreeAt)
    }
  }

  mutating func open(_ board: BluetoothAddress) {
    guard case .connecting(let call) = devices[board]?.link, advertisements[board] != nil else { return }
    let used = devices.values.count { $0.isUp }
    if let slots = air.conditions.slots, used >= slots {
      abort(board, .aborted)
      return
    }
    devices[board]?.link = .connected(answering: call)
    agenda.cancel([.giveUp(board), .refuse(board), .forget(board)])
    agenda.set(.answer(board), at: now + FakeDelays.answering)
    agenda.set(.lose(board), at: air.linkLife().map { now + $0 })
    actions += [.linkOpened(board), .deviceChanged(board, ["Connected": .boolean(true)])]
  }

  mutating func answer(_ board: BluetoothAddress) {
    guard case .connected(let call?) = devices[board]?.link else { return }
    devices[board]?.link = .connected(answering: nil)
    actions.append(.reply(call))
    agenda.set(.resolve(board), at: now + air.discoveryTime())
  }

  mutating func resolve(_ board: BluetoothAddress) {
    guard case .connected = devices[board]?.link,
      let changes = devices[board]?.resolve(services[board] ?? [])
    else { return }
    actions += [.attributesDiscovered(board), .deviceChanged(board, changes)]
  }

  /// A pending Connect fails.
  mutating func abort(_ board: BluetoothAddress, _ failure: DBusFailure) {
    guard case .connecting(let call) = devices[board]?.link else { return }
    devices[board]?.link = .idle
    agenda.cancel([.giveUp(board), .refuse(board), .open(board)])
    forgetLater(board)
    actions.append(.fail(call, failure))
  }
}

// Closing.
extension FakeAdapter {
  /// The two seconds of a Disconnect are over.
  mutating func close(_ board: BluetoothAddress) {
    guard case .disconnecting(let calls, let wasResolved) = devices[board]?.link else { return }
    if wasResolved { actions.append(.deviceChanged(board, ["ServicesResolved": .boolean(false)])) }
    actions += calls.map { .reply($0) }
    actions.append(.deviceChanged(board, ["Connected": .boolean(false)]))
    linkGone(board)
  }

  /// The link is gone without anybody having asked for it.
  mutating func lose(_ board: BluetoothAddress) {
    var changes: [String: DBusValue] = ["Connected": .boolean(false)]
    switch devices[board]?.link {
    case nil, .idle, .connecting: return
    case .disconnecting: close(board)
    case .connected(let call):
      actions += call.map { [.fail($0, .aborted)] } ?? []
      actions.append(.deviceChanged(board, changes))
      linkGone(board)
    case .resolved:
      changes["ServicesResolved"] = .boolean(false)
      actions += [.deviceChanged(board, changes), .batteryRemoved(board)]
      linkGone(board)
    }
  }

  private mutating func linkGone(_ board: BluetoothAddress) {
    agenda.cancel([.answer(board), .resolve(board), .close(board), .lose(board)])
    devices[board]?.link = .idle
    actions.append(.linkClosed(board))
    if devices[board]?.isBeingRemoved ?? false { remove(board) } else { forgetLater(board) }
  }

  mutating func forgetLater(_ board: BluetoothAddress) {
    agenda.set(.forget(board), at: now + memory)
  }

  mutating func forget(_ board: BluetoothAddress) {
    if devices[board]?.link == .idle { remove(board) }
  }

  mutating func remove(_ board: BluetoothAddress) {
    devices[board] = nil
    agenda.cancel([.open(board), .refuse(board), .giveUp(board), .forget(board)])
    actions.append(.deviceRemoved(board))
  }
}
