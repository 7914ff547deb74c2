package import BoardKit
package import Dialects
package import FleetModel
package import Logging
package import Storage

/// What a gateway is made of: the outside world behind its seams.
package struct GatewayEnvironment: Sendable {
  package var radio: any Radio
  package var family: FamilyDescriptor
  package var broker: any Broker
  package var store: Store
  package var timekeeper: any Timekeeper
  /// Seed of everything random: jitter and identifiers.
  package var seed: UInt64
  package var host: HostFacts
  /// Reads the configuration file again; fails where there is none.
  package var reload: @Sendable () async throws(CommandFailure) -> CheckedConfiguration
  /// Told of every configuration that counts from now on, for what lies outside of the gateway; answers what of it
  /// cannot be had, each in a sentence.
  package var applied: Applied
  /// Hears of every message that is published, at once and also without a broker: pages of HTTP.
  package var published: Published = { _ in }
  package var log: Logger
  /// Where indexes of firmware come from; nil: nobody looks for newer firmware.
  package var firmware: (any FirmwareSource)?

  /// See `applied`.
  package typealias Applied = @Sendable (FleetConfiguration) async -> [String]

  /// See `published`. The messages are made only when somebody wants them.
  package typealias Published = @Sendable (_ messages: () -> [OutgoingMessage]) -> Void

  package init(
    radio: any Radio, family: FamilyDescriptor, broker: any Broker, store: Store, timekeeper: any Timekeeper,
    seed: UInt64, host: HostFacts,
    reload: @escaping @Sendable () async throws(CommandFailure) -> CheckedConfiguration,
    applied: @escaping Applied = { _ in [] }, log: Logger,
    firmware: (any FirmwareSource)? = nil
  ) {
    self.radio = radio
    self.family = family
    self.broker = broker
    self.store = store
    self.timekeeper = timekeeper
    self.seed = seed
    self.host = host
    self.reload = reload
    self.applied = applied
    self.log = log
    self.firmware = firmware
  }
}

/// What a gateway tells about the computer it runs on.
package struct HostFacts: Sendable {
  /// Version of this program.
  package var version: String
  package var name: String
  package var operatingSystem: String
  /// Numbers that only the host can tell: memory, processor time, free storage, clock synchronisation.
  package var measure: @Sendable () -> [Metric: Double]
  /// The latest warnings and errors of the process, oldest first.
  package var problems: @Sendable () -> [String]
  /// Packs files for who asks for diagnostics, and returns the name of the bundle in the state directory.
  package var bundle: Bundle

  /// When the certificates that are used towards the broker expire.
  package var certificates: Certificates

  /// See `certificates`.
  package typealias Certificates = @Sendable (TLSConfiguration) -> [(file: String, expires: Timestamp)]

  /// How the run before this one ended; nil where it was stopped in order.
  package var lastCrash: CrashReport?

  /// See `bundle`.
  package typealias Bundle =
    @Sendable (_ files: [(name: String, bytes: [UInt8])], Timestamp) async throws(CommandFailure) -> String

  package init(
    version: String, name: String, operatingSystem: String,
    measure: @escaping @Sendable () -> [Metric: Double],
    problems: @escaping @Sendable () -> [String] = { [] },
    bundle: @escaping Bundle = { (_, _) async throws(CommandFailure) in
      throw CommandFailure(.unsupported, "there is no state directory for diagnostics")
    }, certificates: @escaping Certificates = { _ in [] }, lastCrash: CrashReport? = nil
  ) {
    self.version = version
    self.name = name
    self.operatingSystem = operatingSystem
    self.measure = measure
    self.problems = problems
    self.bundle = bundle
    self.certificates = certificates
    self.lastCrash = lastCrash
  }
}
