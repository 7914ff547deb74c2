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
    package var retainedState: @Sendable () async -> (events: [FleetEvent], boards: Set<BoardID>)
    /// Happened to the connection.
    package var connection: @Sendable (UplinkChange) async -> Void

    package init(
      command: @escaping @Sendable (CommandTarget, String, IncomingCommand) async -> Void,
      retainedState: @escaping @Sendable () async -> (events: [FleetEvent], boards: Set<BoardID>),
      connection: @escaping @Sendable (UplinkChange) async -> Void
    ) {
      self.command = command
      self.retainedState = retainedState
      self.connection = connection
    }
  }

  /// Somebody wants to know whose a board is.
  struct Lookup {
    var askers = 0
    var owner: String?
  }

  /// Somebody wants to know of other gateways.
  struct GatewayLookup {
    var askers = 0
    var seen: Set<String> = []
  }

  let broker: any Broker
  let dialect: any Dialect
  let store: Store
  let timekeeper: any Timekeeper
  let counters: Counters
  let configuration: UplinkConfiguration
  let limits: StorageConfiguration
  let gateway: String
  let log: Logger
  var random: SeededGenerator
  var handlers: Handlers?

  // The connection.
  var connection: BrokerConnection?
  var birth = 0
  /// Such a number that the disk does not know.
  var unkeptBirth: Int?
  /// Whether the broker has told us our own birth on this connection.
  var isBirthSeen = false
  var isFirstConnection = true
  var lost: (since: Timestamp, uptime: Duration, failure: BrokerFailure)?
  var audit: RetainedAudit?
  /// Boards that commands asked for, that are not ours, and whose owner is being found out.
  var lookups: [BoardID: Lookup] = [:]
  /// Who wants to know of other gateways, and which there are.
  var gatewayLookup = GatewayLookup()
  let connectionAlarm = Alarm()

  // The outbox.
  var pending: [OutboxMessage] = []
  var pendingBytes = 0
  /// When, by uptime, what waits in memory goes to the disk; nil while nothing waits.
  var commitDue: Duration?
  /// False while everything that waits on the disk is on its way.
  var hasWaiting = true
  var window = DeliveryWindow()
  var messagesUnderWay: [OutboxRow.ID: OutboxMessage] = [:]
  var settled: [OutboxRow.ID] = []
  var settling: Set<OutboxRow.ID> = []
  var pace: DrainPace
  var refusals = RefusalDigest()
  let outboxAlarm = Alarm()
  var replay: Replay?
  /// Batches' numbers, where some were dropped here.
  var numbers = KeptNumbers()
  var lossesTold = Duration.zero
  /// Sessions that the disk does not know to have begun, or to be over.
  var marks = StreamMarks()
  /// Why the disk takes nothing now.
  var refusal: StoreFailure?
  /// What the disk had room for at the last look.
  var room = DiskRoom.unlimited
  /// Since when a commit is under way.
  var commitStarted: Duration?
  var isSlow = false
  /// No commit is tried before.
  var retryAt = Duration.zero
  /// Messages on their way that are on no disk, by token.
  var direct: [OutboxRow.ID: OutboxMessage] = [:]
  var lastDirect: OutboxRow.ID = 0
  /// Such that the broker refused.
  var refusedDirect: [OutboxMessage] = []
  /// Retained topics whose message on the disk is older than what was said from memory.
  var superseded: Set<String> = []
  var isStopping = false

  /// Bytes that may wait in memory for the disk; records beyond are dropped, which is told.
  static let pendingLimit = 16 << 20
  /// How long records, and the notes that they have arrived, may wait to share a commit.
  static let commitSpan = Duration.milliseconds(250)

  package init(
    broker: any Broker, dialect: any Dialect, store: Store, timekeeper: any Timekeeper, counters: Counters,
    configuration: UplinkConfiguration, limits: StorageConfiguration, gateway: String, seed: UInt64,
    log: Logger
  ) {
    self.broker = broker
    self.dialect = dialect
    self.store = store
    self.timekeeper = timekeeper
    self.counters = counters
    self.configuration = configuration
    self.limits = limits
    self.gateway = gateway
    self.log = log
    random = SeededGenerator(seed: seed)
    pace = DrainPace(perSecond: limits.drainPerSecond, at: timekeeper.uptime)
  }

  package func handle(_ handlers: Handlers) { self.handlers = handlers }

  /// Works until cancelled, or until the store can no longer be trusted.
  package func run() async throws(StoreFailure) {
    let result = await withTaskGroup(of: StoreFailure?.self) { group in
      group.addTask { await self.keepConnected() }
      group.addTask { await self.listen() }
      group.addTask { await self.keepOutbox() }
      for await failure in group where failure != nil {
        group.cancelAll()
        return failure
      }
      return nil
    }
    if let result { throw result }
  }

  /// Takes what happened. Never waits for the network or the disk.
  package func deliver(_ events: [FleetEvent]) async {
    var passing: [(message: MQTTMessage, token: UInt64)] = []
    for event in events {
      guard let event = numbered(event) else { continue }
      if case .stream(let mark) = event { note(mark) }
      for outgoing in dialect.messages(for: event) {
        if let deliveryClass = outgoing.deliveryClass {
          queue(outgoing, as: deliveryClass, of: event)
        } else {
          passing.append((outgoing.message, 0))
        }
      }
    }
    if connection != nil, !passing.isEmpty { await broker.publish(passing) }
    if isStoreInTrouble { await sayFromMemory() }
  }

  private func queue(_ outgoing: OutgoingMessage, as deliveryClass: DeliveryClass, of event: FleetEvent) {
    var row = OutboxMessage(
      outgoing.message, as: deliveryClass, samples: outgoing.samples, created: timekeeper.now)
    if case .batch(let batch) = event { row.continues = OpenStream(batch) }
    keep(row)
  }

  /// Something went into the outbox without us. So many rows of it are news, which no backlog holds up.
  package func outboxGrew(by news: Int = 0) {
    pace.entered(news)
    hasWaiting = true
    outboxAlarm.ring()
  }

  /// Says goodbye: takes to the disk what waits in memory and empties the outbox, as far as `limit` allows, then ends the
  /// connection so that no will is sent. A broker that is slow has the rest of the limit to acknowledge it, and two seconds
  /// at least.
  package func stop(within limit: Duration) async {
    let deadline = timekeeper.uptime + limit
    isStopping = true
    outboxAlarm.ring()
    replay?.alarm.ring()
    while timekeeper.uptime < deadline {
      let waiting = connection == nil ? 0 : (try? await store.outboxStatistics().waiting.messages) ?? 0
      if pending.isEmpty && marks.isEmpty && commitStarted == nil && waiting == 0 { break }
      do { try await timekeeper.sleep(for: .milliseconds(20)) } catch { break }
    }
    if connection != nil {
      await broker.publish([(dialect.farewell(birth: birth, at: timekeeper.now).message, 0)])
      await broker.disconnect(within: max(.seconds(2), deadline - timekeeper.uptime))
    }
  }
}

extension OutboxMessage {
  init(_ message: MQTTMessage, as deliveryClass: DeliveryClass, samples: Int, created: Timestamp) {
    var properties = Properties()
    properties.contentType = message.properties.contentType
    properties.responseTopic = message.properties.responseTopic
    if !message.properties.correlationData.isEmpty {
      properties.correlationData = message.properties.correlationData
    }
    properties.expiryInterval = message.properties.expiryInterval
    if !message.properties.user.isEmpty {
      properties.user = message.properties.user.map { .init($0.name, $0.value) }
    }
    let priority: Priority =
      switch deliveryClass {
      case .state: .reply
      case .event: .log
      case .record: .record
      }
    self.init(
      priority, topic: message.topic, payload: message.payload, created: created,
      qualityOfService: message.qualityOfService.rawValue, isRetained: message.isRetained,
      properties: properties,
      samples: samples)
  }

  /// As it goes to the broker.
  var message: MQTTMessage {
    var message = MQTTMessage(
      topic: topic, payload: payload, qualityOfService: .init(rawValue: qualityOfService) ?? .atLeastOnce,
      isRetained: isRetained)
    message.properties.contentType = properties.contentType
    message.properties.responseTopic = properties.responseTopic
    message.properties.correlationData = properties.correlationData
    message.properties.expiryInterval = properties.expiryInterval
    message.properties.user = properties.user.map { .init($0.name, $0.value) }
    return message
  }
}
