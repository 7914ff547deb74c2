import BoardKit
import Dialects
import EventLoops
import Fleet
import FleetModel
import Logging
import MetaMotion
import Simulator
import Storage
import Support

/// A gateway with a recording broker and a store in memory, around any radio.
struct GatewayParts: Sendable {
  let broker: RecordingBroker
  let gateway: Gateway

  init(
    radio: any Radio, boards: Int, timekeeper: any Timekeeper, storeExecutor: any SerialExecutor,
    seed: UInt64, rate: Double = 50, firmware: (any FirmwareSource)? = nil
  ) throws {
    var configuration = try Self.configuration(boards: boards, seed: seed, rate: rate)
    if firmware != nil { configuration.schedules.firmwareCheck = .never }
    self.init(
      radio: radio, configuration: configuration, timekeeper: timekeeper,
      store: try Store(inMemoryOn: storeExecutor), storeExecutor: storeExecutor, seed: seed,
      firmware: firmware)
  }

  /// With a store that may outlive it, and the configuration that it finds when it reloads.
  init(
    radio: any Radio, configuration: FleetConfiguration, timekeeper: any Timekeeper, store: Store,
    storeExecutor: any SerialExecutor, seed: UInt64, reloading: FleetConfiguration? = nil,
    applied: @escaping GatewayEnvironment.Applied = { _ in [] }, firmware: (any FirmwareSource)? = nil
  ) {
    self.init(
      radio: radio, configuration: configuration, timekeeper: timekeeper, store: store,
      storeExecutor: storeExecutor, seed: seed,
      reload: { () async throws(CommandFailure) in
        guard let reloading else { throw .invalid("no file") }
        return CheckedConfiguration(reloading)
      }, applied: applied, firmware: firmware)
  }

  /// With whatever it finds each time that it reloads.
  init(
    radio: any Radio, configuration: FleetConfiguration, timekeeper: any Timekeeper, store: Store,
    storeExecutor: any SerialExecutor, seed: UInt64,
    reload: @escaping @Sendable () async throws(CommandFailure) -> CheckedConfiguration,
    applied: @escaping GatewayEnvironment.Applied = { _ in [] },
    firmware: (any FirmwareSource)? = nil, lastCrash: CrashReport? = nil,
    measure: @escaping @Sendable () -> [Metric: Double] = { [:] }
  ) {
    broker = RecordingBroker(on: storeExecutor)
    gateway = Gateway(
      configuration: configuration,
      environment: GatewayEnvironment(
        radio: radio, family: MetaMotionFamily.descriptor, broker: broker,
        store: store, timekeeper: timekeeper, seed: seed,
        host: HostFacts(
          version: "test", name: "test", operatingSystem: "test", measure: measure, lastCrash: lastCrash),
        reload: reload, applied: applied, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        firmware: firmware))
  }

  /// Boards that stream acceleration at `rate` and their temperature now and then.
  static func configuration(boards: Int, seed: UInt64, rate: Double = 50) throws -> FleetConfiguration {
    var configuration = FleetConfiguration()
    configuration.gateway = GatewayIdentity(id: "test", site: nil)
    // Tests do to boards what other hosts might have done.
    configuration.commands.permissions = CommandPermissions([.init(), .init(verbs: ["raw"])])
    var profile = Profile()
    profile.streams = try [
      "acceleration": StreamRequest(
        name: "acceleration",
        configuration: configured("acceleration", ["rate_hz": .number(rate), "range_g": 4])),
      "temperature-die": StreamRequest(
        name: "temperature-die", configuration: configured("temperature-die", ["every": "10s"])),
    ]
    configuration.profiles["demo"] = profile
    configuration.boards = Self.boards(boards, seed: seed).map { board in
      var entry = BoardConfiguration(board: BoardID(board.address))
      entry.profile = "demo"
      return entry
    }
    return configuration
  }

  /// Boards as `simulate` numbers them, S and RL in turn.
  static func boards(_ count: Int, seed: UInt64) -> [MetaMotionBoard] {
    let models: [BoardModel] = [.s, .rl]
    return (0..<count).map { (index: Int) -> MetaMotionBoard in
      let number = index + 1
      return MetaMotionBoard(
        Firmware(
          model: models[index % 2], identity: BoardIdentity(number: UInt16(number)),
          seed: seed &+ UInt64(number)))
    }
  }

  /// Runs the gateway while `body` does something with the broker.
  func run<Result: Sendable>(_ body: @escaping @Sendable (RecordingBroker) async -> Result) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
      group.addTask {
        try? await gateway.run()
        return nil
      }
      group.addTask { await body(broker) }
      var result: Result?
      for await finished in group where finished != nil {
        result = finished
        await gateway.stop()
        group.cancelAll()
      }
      return result
    }
  }
}

private func configured(_ stream: String, _ keys: JSONObject) throws -> JSONObject {
  guard let (definition, _) = StreamCatalogue.find(stream) else {
    throw CommandFailure.invalid("no stream \(stream)")
  }
  return try definition.configure(keys).values
}
