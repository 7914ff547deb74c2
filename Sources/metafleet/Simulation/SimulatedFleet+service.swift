import DBus
import EventLoops
import Simulator

extension SimulatedFleet {
  /// The boards behind an `org.bluez` on a bus. `onEnd` is called when the bus goes away.
  func serve(
    on bus: DBusAddress, loop: EventLoop, onEnd: (@Sendable (DBusFailure) -> Void)? = nil
  ) async throws(CommandLineFailure) -> FakeBlueZ {
    do throws(DBusFailure) {
      return try await FakeBlueZ.start(
        boards: boards(), air: Air(seed: seed), on: bus, loop: loop, onEnd: onEnd)
    } catch {
      throw BusFailure.explain(error, bus: bus)
    }
  }
}

extension FakeBlueZ: Temporary {}
