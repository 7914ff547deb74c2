import Fleet
import FleetModel
import Logging
import MetaMotion
import Storage
import Support

/// One run of the daemon, from its start to its stop or its sudden death.
struct DayDaemon {
  private let process: SeededProcess
  private let gateway: Gateway
  private let task: Task<Void, Never>

  init(
    _ number: Int, _ configuration: FleetConfiguration, seed: UInt64, world: SeededWorld, radio: DayRadio,
    broker: RecordingBroker, store: Store
  ) {
    let process = SeededProcess(in: world)
    let gateway = Gateway(
      configuration: configuration,
      environment: GatewayEnvironment(
        radio: DayRadioClient(of: radio, for: process), family: MetaMotionFamily.descriptor,
        broker: RecordingBrokerClient(of: broker), store: store, timekeeper: world,
        seed: seed &+ UInt64(number) &* 0x1000,
        host: HostFacts(version: "days", name: "days", operatingSystem: "Linux", measure: { [:] }),
        reload: { () async throws(CommandFailure) in throw .invalid("no file") },
        log: Logger(label: "days") { _ in SwiftLogNoOpLogHandler() }))
    (self.process, self.gateway) = (process, gateway)
    task = Task(executorPreference: process) { try? await gateway.run() }
  }

  /// Ends it as SIGTERM does.
  func stop() async {
    await gateway.stop()
    task.cancel()
    await task.value
    process.kill()
  }

  /// Ends it as SIGKILL does.
  func kill() { process.kill() }
}
