package import Dialects
package import FleetModel
package import Logging
package import Storage

/// One broker session and what is said on it: live samples at once and at most once, everything else through the
/// outbox on disk.
package actor Uplink {
  /// What an uplink needs from the fleet.
  package struct Handlers: Sendable {
    /// A request arrived.
    package var command: @Sendable (CommandTarget, String, IncomingCommand) async -> Void
    /// Every retained document as it is now, for a broker that may have lost them.
    package var retainedState: @Sendable () async -> (events: [FleetEvent], boards: Set<BoardID>?)
    /// Happened to the connection.
    package var connection: @Sendable (UplinkChange) async -> Void

    package init(
      command: @escaping @Sendable (CommandTarget, String, IncomingCommand) async -> Void,
      retainedState: @escaping @Sendable () async -> (events: [FleetEvent], boards: Set<BoardID>?),
      connection: @escaping @Sendable (UplinkChange) async -> Void
    ) {
      self.command = command
      self.retainedState = retainedState
      self.connection = connection
    }
  }

  private let environment: UplinkEnvironment
  private let outbox: Outbox
  private let link: BrokerLink
  private var limits: StorageConfiguration

  package init(
    broker: any Broker, dialect: any Dialect, store: Store, timekeeper: any Timekeeper, counters: Counters,
    configuration: UplinkConfiguration, limits: StorageConfiguration, gateway: String,
    discovery: HomeAssistantDiscovery, seed: UInt64, log: Logger, handlers: Handlers,
    published: @escaping GatewayEnvironment.Published = { _ in }
  ) {
    environment = UplinkEnvironment(
      broker: broker, dialect: dialect, store: store, timekeeper: timekeeper, counters: counters,
      configuration: configuration, gateway: gateway, log: log, handlers: handlers,
      published: published)
    self.limits = limits
    var random = SeededGenerator(seed: seed)
    outbox = Outbox(environment, limits: limits, discovery: discovery, seed: random.next())
    link = BrokerLink(environment, outbox: outbox, seed: random.next())
  }

  /// Works until cancelled, or until the store can no longer be trusted.
  package func run() async throws(StoreFailure) {
    let result = await withTaskGroup(of: StoreFailure?.self) { group in
      group.addTask { await self.keepConnected() }
      group.addTask { await self.listen() }
      group.addTask { await self.keepOutbox() }
      group.addTask { await self.watchDisk() }
      group.addTask { await self.keepRetained() }
      return await group.firstFailure()
    }
    if let result { throw result }
  }

  private func keepConnected() async -> StoreFailure? { await link.keepConnected() }
  private func listen() async -> StoreFailure? { await link.listen() }
  private func keepOutbox() async -> StoreFailure? { await outbox.run() }
  private func watchDisk() async -> StoreFailure? {
    await outbox.watchDisk()
    return nil
  }
  private func keepRetained() async -> StoreFailure? {
    await link.repair.run()
    return nil
  }

  /// Takes what happened. Never waits for the network or the disk.
  package func deliver(_ events: [FleetEvent]) async {
    await outbox.deliver(events)
    link.repair.wake()
  }

  /// Something went into the outbox without us. So many rows of it are new, which no backlog holds up.
  package func outboxGrew(by rows: Int = 0) { outbox.grew(by: rows) }

  /// Turns the oldest records into declared gaps when the outbox is larger or older than it may be.
  /// `time` is what ages are counted to.
  func enforceLimits(at time: Timestamp) async { await outbox.enforce(limits, at: time) }

  /// Other limits of the outbox and of what is kept beside it.
  func change(to limits: StorageConfiguration) {
    self.limits = limits
    outbox.change(to: limits)
  }

  /// Another section `mqtt` of the file: where it says something else than before the connection is made anew.
  func change(to configuration: UplinkConfiguration) async {
    guard configuration != link.configuration else { return }
    await link.renew(configuration, because: "the configuration has changed")
  }

  /// What the connection is made of holds something else by now, such as a file with a password.
  func renew(because reason: String) async { await link.renew(link.configuration, because: reason) }

  /// Another section `homeassistant` of the file.
  func change(to configuration: HomeAssistantConfiguration) async { await link.change(to: configuration) }

  /// Offers again what the broker refused.
  func retryRefused() async { await outbox.retryRefused() }

  /// Whether the broker is connected.
  var isConnected: Bool { link.isConnected }

  /// Why the broker is not connected; nil where it is, or was not tried yet.
  var trouble: String? { link.trouble }

  /// When the certificate that the broker showed expires; nil without TLS, or without a connection.
  var brokerCertificate: Timestamp? { link.brokerCertificate }

  /// Whether a replay is under way.
  var isReplaying: Bool { outbox.replay.isUnderWay }

  /// Publishes again what was delivered of the requested period; see `Replay.run`.
  func replay(
    _ request: ReplayRequest, progress: @Sendable (Double) async -> Void
  ) async throws(StoreFailure) -> ReplayProgress.Amount? {
    try await outbox.replay.run(request, through: outbox, progress: progress)
  }

  /// Looks once more at what the broker retains, and removes what nobody is responsible for any more.
  func lookAtRetained() async { await link.lookAtRetained() }

  /// Whether another gateway has published documents of a board.
  func isOwnedElsewhere(_ board: BoardID) async -> Bool {
    guard link.isConnected else { return false }
    return await link.owners.isOwnedElsewhere(board)
  }

  /// Whether other gateways have ever spoken on this broker.
  func isAmongOthers() async -> Bool {
    guard link.isConnected else { return false }
    return await link.owners.isAmongOthers()
  }

  /// Ends in order: takes to the disk what waits in memory and empties the outbox, as far as `limit` allows, then ends
  /// the connection so that no will is sent. A broker that is slow has the rest of the limit to acknowledge it, and two
  /// seconds at least.
  package func stop(within limit: Duration) async {
    let deadline = environment.uptime + limit
    await outbox.finish(before: deadline)
    guard link.isConnected else { return }
    let offlineMessage = environment.dialect.offlineMessage(birth: link.birth, at: environment.now)
    await environment.broker.publish([(offlineMessage.message, 0)])
    await environment.broker.disconnect(within: max(.seconds(2), deadline - environment.uptime))
  }
}
