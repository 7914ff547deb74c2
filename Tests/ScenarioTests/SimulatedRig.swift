import BoardKit
import Dialects
import Fleet
import FleetModel
import Logging
import MetaMotion
import Simulator
import Storage
import Support

/// A gateway with simulated boards, a recording broker and a store in memory, all in one seeded world.
struct SimulatedRig: Sendable {
  let world: SeededWorld
  let radio: SimulatedRadio
  let broker = RecordingBroker()
  let gateway: Gateway

  init(world: SeededWorld, boards: Int, configure: (inout FleetConfiguration) -> Void = { _ in }) throws {
    self.world = world
    let models: [BoardModel] = [.s, .rl]
    let simulated = (1...boards).map { (number: Int) -> MetaMotionBoard in
      MetaMotionBoard(
        Firmware(
          model: models[(number - 1) % 2], identity: BoardIdentity(number: UInt16(number)),
          seed: world.seed &+ UInt64(number)))
    }
    radio = SimulatedRadio(
      boards: simulated, air: Air(seed: world.seed), timekeeper: world, executor: world)
    var configuration = FleetConfiguration()
    configuration.gateway = GatewayIdentity(id: "test", site: nil)
    var profile = Profile()
    profile.streams = try [
      "acceleration": StreamRequest(
        name: "acceleration", configuration: configured("acceleration", ["rate_hz": 50, "range_g": 4])),
      "temperature-die": StreamRequest(
        name: "temperature-die", configuration: configured("temperature-die", ["every": "10s"])),
    ]
    configuration.profiles["demo"] = profile
    configuration.boards = simulated.map { board in
      var entry = BoardConfiguration(board: BoardID(board.address))
      entry.profile = "demo"
      return entry
    }
    configure(&configuration)
    gateway = Gateway(
      configuration: configuration,
      environment: GatewayEnvironment(
        radio: radio, family: MetaMotionFamily.descriptor, broker: broker,
        store: try Store(inMemoryOn: world), timekeeper: world, seed: world.seed,
        host: HostFacts(version: "test", name: "test", operatingSystem: "test", measure: { [:] }),
        reload: { () async throws(CommandFailure) in throw .invalid("no file") },
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
  }

  /// Runs the gateway while `body` does something with the broker.
  func run<Result: Sendable>(_ body: @escaping @Sendable (RecordingBroker) async -> Result) async -> Result {
    await withTaskGroup(of: Result?.self) { group in
      group.addTask {
        try? await gateway.run()
        return nil
      }
      group.addTask { await body(broker) }
      var result: Result?
      for await finished in group {
        if let finished {
          result = finished
          await gateway.stop()
          group.cancelAll()
        }
      }
      // The body always finishes before the group does.
      return result.unsafelyUnwrapped
    }
  }
}

private func configured(_ stream: String, _ keys: JSONObject) throws -> JSONObject {
  guard let (definition, _) = StreamCatalogue.find(stream) else { throw CommandFailure.invalid("no stream \(stream)") }
  return try definition.configure(keys).values
}
