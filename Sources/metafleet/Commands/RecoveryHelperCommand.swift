import ArgumentParser
import BlueZ
import DBus
import EventLoops

/// `recovery-helper`: what a gateway without privileges has done for it about a Bluetooth adapter that hangs.
struct RecoveryHelperCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovery-helper",
    abstract: "Restarts bluetoothd and resets USB adapters when the gateway asks for it.",
    discussion: """
      A service of its own on the system bus, run as root beside a gateway that has no privileges; the unit is \
      deploy/systemd/metafleet-recovery.service, the bus policy \
      deploy/dbus/\(RecoveryHelperNames.service).conf. It can be asked for two things: \
      \(RecoveryHelperNames.restartBluetoothd), at most every 30 minutes, and \(RecoveryHelperNames.resetAdapter), \
      for one adapter at most every 30 minutes and 3 times in 24 hours. What failed counts, too. Each call is a line \
      on standard error. Ends with SIGTERM or Ctrl-C.

      Examples:
        metafleet recovery-helper
        metafleet recovery-helper --bus unix:path=/tmp/bus --sysfs /tmp/sys

      Exit status: 0 stopped; 69 the bus is not there, or a helper runs on it already; 77 the bus does not let this \
      user take the name.
      """)

  @Option(
    help: ArgumentHelp(
      "Serve on this bus instead of the system bus, or of the one that DBUS_SYSTEM_BUS_ADDRESS names.",
      valueName: "address"))
  var bus: String?

  @Option(
    help: ArgumentHelp("Where sysfs is; for tries against a copy of it.", valueName: "directory"))
  var sysfs = "/sys"

  func run() async throws {
    let bus = bus.map { DBusAddress($0) } ?? .system
    let loop = try EventLoop.named("recovery")
    let requests = try Signals.requests(on: loop)
    let (busEnds, busEnded) = AsyncStream<DBusFailure>.makeStream()
    let service: RecoveryService
    do throws(DBusFailure) {
      service = try await RecoveryService.start(on: bus, sysfs: sysfs, loop: loop) { busEnded.yield($0) }
    } catch {
      throw Self.explain(error, bus: bus)
    }
    Console.note("\(RecoveryHelperNames.service) on \(bus); Ctrl-C stops it")
    let failure: DBusFailure? = await service.serve {
      await First.of {
        _ = await First.value(of: requests)
        return nil
      } or: {
        await First.value(of: busEnds)
      }
    }
    if let failure { throw Self.explain(failure, bus: bus) }
  }

  private static func explain(_ failure: DBusFailure, bus: DBusAddress) -> CommandLineFailure {
    let name = RecoveryHelperNames.service
    return switch failure {
    case .error("org.freedesktop.DBus.Error.AccessDenied", _):
      CommandLineFailure(
        .notAllowed,
        """
        the bus at \(bus) does not let this user take the name \(name): run it as root, and put \
        deploy/dbus/\(name).conf into /etc/dbus-1/system.d
        """)
    case .error("org.freedesktop.DBus.Error.AddressInUse", _):
      CommandLineFailure(.unavailable, "a recovery helper runs on the bus at \(bus) already")
    default: BusFailure.explain(failure, bus: bus)
    }
  }
}
