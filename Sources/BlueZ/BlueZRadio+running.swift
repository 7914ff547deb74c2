import BoardKit
import DBus
import EventLoops
import FleetModel

// Staying in touch with the bus and with bluetoothd.
extension BlueZRadio {
  /// Connects to the bus, again and again with growing pauses (fault F12). One call at a time.
  package func run() async {
    var backoff = BusBackoff(policy: policy)
    while !Task.isCancelled {
      let began = uptime
      do throws(DBusFailure) {
        let radioWaker = radioWaker
        let bus = try await DBusConnection.open(address, on: loop, deadline: policy.call) { _ in
          radioWaker.wake()
        }
        defer { close(bus) }
        try await listen(bus)
        await follow(bus)
        loseService("D-Bus closed the connection")
      } catch {
        var reason = "\(error)"
        if case .disconnected(let text) = error { reason = text }
        loseService("cannot connect to D-Bus at \(address): \(reason); systemctl start dbus bluetooth")
      }
      await LoopWaker(on: loop).wait(atMost: backoff.next(afterLife: uptime - began))
    }
  }

  private func listen(_ bus: DBusConnection) async throws(DBusFailure) {
    let rules = [
      DBusMatchRule(
        sender: BlueZNames.service, interface: BlueZNames.properties, member: "PropertiesChanged",
        pathNamespace: BlueZNames.root),
      DBusMatchRule(sender: BlueZNames.service, interface: BlueZNames.objectManager),
    ]
    for rule in rules {
      _ = try await bus.listen(to: rule, deadline: policy.call) { [weak self] signal in
        self?.assumeIsolated { $0.received(signal) }
      }
    }
    _ = try await bus.watchOwner(of: BlueZNames.service, deadline: policy.call) { [weak self] name in
      self?.assumeIsolated { $0.ownerChanged(to: name) }
    }
  }

  private func ownerChanged(to name: String?) {
    if bluetoothd.owner != nil || name == nil {
      loseService("bluetoothd is not running; systemctl start bluetooth")
    }
    bluetoothd = name.map { .named($0) } ?? .absent
    radioWaker.wake()
  }

  /// Links, adapters and devices are gone with bluetoothd, although it may not have said so (fault F10). Said at
  /// once, because the next bluetoothd may be there before anybody looks.
  private func loseService(_ message: String) {
    bluetoothd = .absent
    announceService(isAvailable: false, message)
    absorb(tree.replace(with: nil))
  }

  /// Lives as long as the bus connection.
  private func follow(_ bus: DBusConnection) async {
    await withDiscardingTaskGroup { group in
      var pause = policy.firstRetry
      while !Task.isCancelled, isOpen(bus) {
        if case .named(let owner) = bluetoothd {
          do throws(DBusFailure) {
            try await list(BlueZService(bus: bus, owner: owner))
            pause = policy.firstRetry
            announceService(isAvailable: true, "bluetoothd is running")
          } catch {
            announceService(
              isAvailable: false, "bluetoothd does not answer: \(error); systemctl restart bluetooth")
            await radioWaker.wait(atMost: pause)
            pause = min(pause * 2, policy.call)
          }
          continue
        }
        for id in pendingAdapters { group.addTask { await self.keep(id) } }
        pendingAdapters = []
        await radioWaker.wait()
      }
      group.cancelAll()
    }
  }

  private func isOpen(_ bus: DBusConnection) -> Bool { bus.assumeIsolated { $0.isOpen } }

  private func close(_ bus: DBusConnection) { bus.assumeIsolated { $0.close() } }

  /// Takes everything bluetoothd has into the tree, in order with its signals.
  func list(_ service: BlueZService) async throws(DBusFailure) {
    let method = service.method("/", BlueZNames.objectManager, "GetManagedObjects")
    let answer = try await service.bus.call(method, deadline: policy.call) { [weak self] outcome in
      guard let listing = try? outcome.get().first, listing.entries != nil else { return }
      self?.assumeIsolated { $0.listed(listing, of: service) }
    }
    if answer.first?.entries == nil { throw .malformed("the listing of objects") }
  }

  private func listed(_ listing: DBusValue, of service: BlueZService) {
    guard bluetoothd.owner == service.owner else { return }
    bluetoothd = .listed(service)
    absorb(tree.replace(with: listing))
  }
}
