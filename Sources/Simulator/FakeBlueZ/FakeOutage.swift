import DBus
import FleetModel

/// What happens to adapters, and to bluetoothd itself, because somebody asked for it.
enum FakeOutage {
  static func carryOut(_ fault: AdapterFault, on number: Int, of fake: isolated FakeBlueZ) {
    guard fake.adapters.numbers.contains(number) else { return }
    switch fault {
    case .off: fake.ask(number) { $0.switchPower(false) }
    case .blocked: fake.ask(number) { $0.block() }
    case .removed: removeAdapter(number, of: fake)
    case .renumbered:
      removeAdapter(number, of: fake)
      fake.objects[number].adapterNumber = (fake.objects.map(\.adapterNumber).max() ?? 0) + 1
      returnAdapter(number, of: fake)
    case .back:
      if fake.adapters.all[number].isPresent {
        fake.ask(number) { $0.unblock() }
      } else {
        returnAdapter(number, of: fake)
      }
    }
  }

  private static func removeAdapter(_ number: Int, of fake: isolated FakeBlueZ) {
    guard fake.adapters.all[number].isPresent else { return }
    fake.ask(number) { $0.leave() }
    fake.objects[number].removeAdapter()
  }

  private static func returnAdapter(_ number: Int, of fake: isolated FakeBlueZ) {
    guard fake.isServing else { return }
    fake.adapters.all[number] = fake.adapters.all[number].successor
    fake.showAdapter(number)
  }

  /// As after `kill -9`: the name goes without a word, sockets end, nobody answers; the kernel drops the links.
  static func die(_ fake: isolated FakeBlueZ) {
    guard fake.isServing else { return }
    fake.isServing = false
    fake.connection.callBus("ReleaseName", .string(BlueZNames.service))
    fake.calls.forsake()
    let connected = fake.adapters.connected
    fake.attributes.die()
    fake.objects[0].removeAll()
    fake.late = LateNotifications()
    fake.adapters.startAnew()
    for board in connected { fake.change(board) { board, now in board.disconnected(at: now) } }
  }

  static func returnToLife(_ fake: isolated FakeBlueZ) {
    guard !fake.isServing else { return }
    fake.isServing = true
    fake.show()
    fake.connection.callBus("RequestName", .string(BlueZNames.service), .uint32(0))
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
