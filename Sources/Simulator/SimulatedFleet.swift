import FleetModel
package import DBus
import EventLoops

/// Any number of boards on a bus, as one thing to start and to stop.
package final class SimulatedFleet: Sendable {
  /// What fleet it is.
  package struct Plan: Sendable {
    /// At most 65535.
    package var boards: Int
    /// Dealt out in turn.
    package var models: [BoardModel]
    /// Decides motion, temperatures, batteries, where adapters beside the first one are, and all luck.
    package var seed: UInt64
    package var conditions: Air.Conditions
    /// How many adapters there are; each receives boards as it stands.
    package var adapters = 1
    /// Boards reset, run low and lose their links by themselves.
    package var hasRandomFaults: Bool
    /// What else is to go wrong, and when.
    package var faults: [FaultOrder] = []
    /// How long after the last sign of life BlueZ forgets a device.
    package var deviceMemory: Duration
    /// Simulated seconds per second; 1 but in tests.
    package var speed: Double
    /// What the logs do where nobody knows.
    package var logs = LogAssumptions()
    /// What their bootloaders are like. Where these have the next address, boards have every second one.
    package var bootloaders = BootloaderTraits()
    /// Hears what becomes of the entries of boards' logs.
    package var ledger: LedgerSink?
    /// What it hears.
    package var ledgerScope: LedgerScope = .log
    /// Hears of each order when it is carried out.
    package var orders: OrderSink?

    package init(
      boards: Int, models: [BoardModel] = [.s, .rl], seed: UInt64 = 1,
      conditions: Air.Conditions = Air.Conditions(), hasRandomFaults: Bool = false,
      deviceMemory: Duration = .seconds(30), speed: Double = 1
    ) {
      self.boards = boards
      self.models = models
      self.seed = seed
      self.conditions = conditions
      self.hasRandomFaults = hasRandomFaults
      self.deviceMemory = deviceMemory
      self.speed = speed
    }

    /// Of board n, from 1: `C0:FF:EE:00:` and n as four hexadecimal digits; where bootloaders have the next address, so
    /// that two boards do not have the same one, 2n − 1.
    package func identity(of number: Int) -> BoardIdentity {
      BoardIdentity(
        number: UInt16(clamping: bootloaders.place == .nextAddress ? 2 * number - 1 : number))
    }

    /// Board n, from 1, is the n-th model in turn.
    package func makeBoards() -> [MetaMotionBoard] {
      var random = SeededGenerator(seed: seed)
      // Apart, so that boards do what they did before they had crystals.
      var crystals = SeededGenerator(seed: seed &+ 1)
      var assumptions = FirmwareAssumptions()
      assumptions.log = logs
      return (0..<max(0, min(boards, Int(UInt16.max)))).map { index in
        MetaMotionBoard(
          Firmware(
            model: models.isEmpty ? .s : models[index % models.count],
            identity: identity(of: index + 1), seed: random.next(), assumptions: assumptions,
            crystal: Crystal(partsPerMillion: (crystals.fraction() * 2 - 1) * Crystal.tolerance),
            ledger: ledger == nil ? [] : ledgerScope),
          bootloader: bootloaders)
      }
    }
  }

  /// The boards, for those who press their buttons.
  package let service: FakeBlueZ
  private let loop: EventLoop

  private init(_ service: FakeBlueZ, _ loop: EventLoop) {
    self.service = service
    self.loop = loop
  }

  /// Serves the fleet as `org.bluez` on a bus where nobody else does. `onEnd` is called once, on a thread of the
  /// fleet, when the connection to the bus ends: because the bus went away, in which case `stop` is due, or by
  /// `stop`.
  package static func start(
    _ plan: Plan, on bus: DBusAddress, onEnd: (@Sendable (DBusFailure) -> Void)? = nil
  ) async throws(DBusFailure) -> SimulatedFleet {
    let loop: EventLoop
    do {
      loop = try EventLoop(name: "simulator")
    } catch {
      throw .disconnected("the simulator has no event loop: \(error)")
    }
    do throws(DBusFailure) {
      let boards = plan.makeBoards()
      let service = try await FakeBlueZ.start(
        boards: boards, air: Air(seed: plan.seed, conditions: plan.conditions), adapters: plan.adapters,
        on: bus, loop: loop,
        randomFaults: plan.hasRandomFaults
          ? RandomFaults(seed: plan.seed, boards: boards.map(\.address)) : nil,
        deviceMemory: plan.deviceMemory, speed: plan.speed, ledger: plan.ledger, orders: plan.orders,
        onEnd: onEnd)
      await service.schedule(plan.faults)
      return SimulatedFleet(service, loop)
    } catch {
      loop.stop()
      throw error
    }
  }

  /// Leaves the bus and ends the fleet's thread. Call it once.
  package func stop() async {
    await service.stop()
    loop.stop()
  }
}
