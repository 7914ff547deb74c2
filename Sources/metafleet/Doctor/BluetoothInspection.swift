import BlueZ
import DBus
import EventLoops
import Foundation

/// Asks the bus who is there, and bluetoothd what it has. Nothing is changed.
struct BluetoothInspection: Sendable {
  let address: DBusAddress
  /// Addresses of adapters that the configuration names; nil = all are used.
  let wanted: [String]?

  private static let deadline = Duration.seconds(5)
  private static let service = "org.bluez"
  /// What container engines put into their containers.
  private static let marks = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"]

  func look() async throws(CommandLineFailure) -> BluetoothFacts {
    let loop = try EventLoop.named("doctor")
    defer { loop.stop() }
    var facts = BluetoothFacts(
      bus: "\(address)", isContainer: Self.marks.contains { FileManager.default.fileExists(atPath: $0) },
      wanted: wanted)
    do throws(DBusFailure) {
      let bus = try await DBusConnection.open(address, on: loop, deadline: Self.deadline)
      await Self.ask(bus, &facts)
      await bus.close()
    } catch {
      facts.busFailure = error
    }
    return facts
  }

  private static func ask(_ bus: DBusConnection, _ facts: inout BluetoothFacts) async {
    let names = await texts(bus, "ListNames")
    facts.isRunning = names.contains(service)
    facts.hasHelper = names.contains(RecoveryHelperNames.service)
    if !facts.isRunning {
      facts.isInstalled = await texts(bus, "ListActivatableNames").contains(service)
      return
    }
    do throws(DBusFailure) {
      let answer = try await bus.call(
        DBusMethodCall(to: service, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"),
        deadline: deadline)
      facts.adapters = adapters(in: answer.first)
    } catch {
      facts.failure = error
    }
  }

  private static func texts(_ bus: DBusConnection, _ question: String) async -> [String] {
    let name = "org.freedesktop.DBus"
    let call = DBusMethodCall(to: name, "/org/freedesktop/DBus", name, question)
    let answer = try? await bus.call(call, deadline: deadline)
    return answer?.first?.elements?.compactMap(\.text) ?? []
  }

  private static func adapters(in objects: DBusValue?) -> [BluetoothFacts.Adapter] {
    let found = (objects?.entries ?? [:]).compactMap { path, interfaces -> BluetoothFacts.Adapter? in
      guard let path = path.text, let adapter = interfaces.namedValues?["org.bluez.Adapter1"]?.namedValues
      else {
        return nil
      }
      return BluetoothFacts.Adapter(
        name: path.split(separator: "/").last.map(String.init) ?? path,
        address: adapter["Address"]?.text ?? "",
        isPowered: adapter["Powered"]?.flag ?? false)
    }
    return found.sorted { $0.name < $1.name }
  }
}
