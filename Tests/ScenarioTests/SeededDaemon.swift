import Fleet
import FleetModel
import Logging
import MetaMotion
import Storage
import Support

/// One run of the daemon in a seeded world, from its start to its stop or its sudden death.
struct SeededDaemon: Sendable {
  let process: SeededProcess
  private let gateway: Gateway
  private let task: Task<Void, Never>

  init(
    _ number: Int, of script: SeededScript, world: SeededWorld, radio: SeededRadio, broker: RecordingBroker,
    store: Store
  ) throws {
    process = SeededProcess(in: world, dyingAfter: number == 0 ? script.dyingAfter : nil)
    var configuration = try GatewayParts.configuration(
      boards: script.boards, seed: script.seed, rate: script.rate)
    // Nothing is held against live samples; they would be half of all messages.
    configuration.lanes.liveRate = 0.1
    let gateway = Gateway(
      configuration: configuration,
      environment: GatewayEnvironment(
        radio: SeededRadioClient(of: radio, for: process), family: MetaMotionFamily.descriptor,
        broker: RecordingBrokerClient(of: broker), store: store, timekeeper: world,
        seed: script.seed &+ UInt64(number) &* 0x1000,
        host: HostFacts(version: "test", name: "test", operatingSystem: "test", measure: { [:] }),
        reload: { () async throws(CommandFailure) in throw .invalid("no file") },
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    self.gateway = gateway
    task = Task(executorPreference: process) { try? await gateway.run() }
  }

  /// Ends it as SIGTERM does.
  func stop() async {
    await gateway.stop()
    task.cancel()
    await task.value
    process.kill()
  }
}
