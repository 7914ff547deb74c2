package import BoardKit
package import Fleet
package import FleetModel
import Logging
package import Storage
package import Support
package import VirtualTime

/// One run of the daemon in a seeded world, from its start to its stop or its sudden death.
package struct SeededDaemon: Sendable {
  /// What all of it runs on.
  package let process: SeededProcess
  private let gateway: Gateway
  private let task: Task<Void, Never>

  /// Starts run `number`, counted from 0, with chance of its own, among what outlives it. Dies by itself after
  /// `jobs`, if given.
  package init(
    _ number: Int, _ configuration: FleetConfiguration, family: FamilyDescriptor, seed: UInt64,
    world: SeededWorld, radio: any SystemRadio, broker: RecordingBroker, store: Store,
    dyingAfter jobs: Int? = nil, firmware: (any FirmwareSource)? = nil
  ) {
    let process = SeededProcess(in: world, dyingAfter: jobs)
    let gateway = Gateway(
      configuration: configuration,
      environment: GatewayEnvironment(
        radio: SystemRadioClient(of: radio, for: process), family: family,
        broker: RecordingBrokerClient(of: broker), store: store, timekeeper: world,
        seed: seed &+ UInt64(number) &* 0x1000,
        host: HostFacts(version: "test", name: "test", operatingSystem: "test", measure: { [:] }),
        reload: { () async throws(CommandFailure) in throw .invalid("no file") },
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, firmware: firmware))
    (self.process, self.gateway) = (process, gateway)
    task = Task(executorPreference: process) { try? await gateway.run() }
  }

  /// Ends it as SIGTERM does.
  package func stop() async {
    await gateway.stop()
    task.cancel()
    await task.value
    process.kill()
  }

  /// Ends it as SIGKILL does.
  package func kill() { process.kill() }
}
