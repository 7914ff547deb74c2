import Dialects
import EventLoops
import FleetModel
import Mosquitto

/// One command's connection to the broker: what comes in and the alarms that were set arrive in one stream, so that
/// a command is one loop over it.
struct ClientSession: Sendable {
  enum Event: Sendable {
    case message(MQTTMessage)
    /// The broker has, or refuses, what was published last.
    case acknowledged(BrokerFailure?)
    case lost(BrokerFailure)
    /// A time that was set is over.
    case timer(Timer)
    /// Somebody at the terminal did something.
    case terminal(FullScreen.Event)
  }

  /// What a command waits for: times it set, and that the connection is back.
  enum Timer: Hashable, Sendable { case quiet, resend, deadline, redraw, flush, restored }

  let settings: UplinkConfiguration
  /// In order. One consumer.
  let events: AsyncStream<Event>
  private let inbox: AsyncStream<Event>.Continuation
  private let broker: any Broker
  private let loop: EventLoop
  private let reconnection = Reconnection()

  /// The retained documents are there when the broker has been silent for so long.
  private static let quietTime = Duration.milliseconds(250)
  private static let disconnectTimeout = Duration.seconds(2)

  /// Connects, runs `body`, disconnects. With `keepsTrying` it connects again after every loss, and hears then what it
  /// heard before: a `lost` event comes of the loss and of each attempt that failed, `restored` of the one that worked.
  /// With `keepsMessages` a broker of MQTT 5 keeps meanwhile what it would have delivered with QoS 1.
  static func with<Result: Sendable>(
    _ settings: UplinkConfiguration, keepsTrying: Bool = false, keepsMessages: Bool = false,
    _ body: @Sendable (ClientSession) async throws -> Result
  ) async throws -> Result {
    let loop = try EventLoop.named("broker")
    let broker = MosquittoBroker(try configuration(settings, keepsMessages), on: loop)
    let session = ClientSession(settings, broker, loop)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await session.listen() }
      defer { group.cancelAll() }
      try await session.connect()
      if keepsTrying { group.addTask { await session.keepConnected() } }
      do {
        let result = try await body(session)
        await broker.disconnect(within: disconnectTimeout)
        return result
      } catch {
        await broker.disconnect(within: disconnectTimeout)
        throw error
      }
    }
  }

  init(_ settings: UplinkConfiguration, _ broker: any Broker, _ loop: EventLoop) {
    self.settings = settings
    self.broker = broker
    self.loop = loop
    (events, inbox) = AsyncStream.makeStream()
  }

  private static func configuration(
    _ settings: UplinkConfiguration, _ keepsMessages: Bool
  ) throws(CommandLineFailure) -> MosquittoConfiguration {
    var random = SystemRandomNumberGenerator()
    let suffix = String(UInt32.random(in: .min ... .max, using: &random), radix: 16)
    var configuration = try MosquittoConfiguration(settings, clientID: "metafleet-cli-\(suffix)")
    configuration.sessionEnd = keepsMessages ? .withClient : .withConnection
    return configuration
  }

  private func listen() async {
    for await event in broker.events {
      switch event {
      case .message(let message): inbox.yield(.message(message))
      case .acknowledged(let answers): for answer in answers { inbox.yield(.acknowledged(answer.failure)) }
      case .disconnected(let failure):
        reconnection.lost()
        inbox.yield(.lost(failure))
      }
    }
  }

  private func keepConnected() async {
    await reconnection.run(on: loop, of: broker, connect: open) { failure in
      inbox.yield(failure.map { .lost($0) } ?? .timer(.restored))
    }
  }

  private func connect() async throws(CommandLineFailure) {
    do throws(BrokerFailure) { try await open() } catch { throw explain(error) }
  }

  private func open() async throws(BrokerFailure) {
    let versions: [BrokerConnection.ProtocolVersion] =
      switch settings.protocolChoice {
      case .automatic: [.mqtt5, .mqtt311]
      case .mqtt5: [.mqtt5]
      case .mqtt311: [.mqtt311]
      }
    for version in versions {
      do throws(BrokerFailure) {
        _ = try await broker.connect(will: nil, protocolVersion: version)
        return
      } catch {
        if error == .unsupportedProtocol, version != versions.last { continue }
        throw error
      }
    }
  }

  /// What a person is told of a failure.
  func explain(_ failure: BrokerFailure) -> CommandLineFailure {
    BrokerExplanation.explain(failure, of: settings)
  }

  /// Hears topics from now on.
  func subscribe(
    to filters: [String], _ quality: MQTTMessage.QualityOfService = .atMostOnce
  ) async throws(CommandLineFailure) {
    let subscriptions = filters.map { Subscription($0, qualityOfService: quality) }
    do throws(BrokerFailure) { try await broker.subscribe(to: subscriptions) } catch {
      if case .denied = error { throw BrokerExplanation.denied(reading: filters, of: settings) }
      throw explain(error)
    }
    // What was refused is not asked for again: after a loss that would keep us from all the rest.
    reconnection.note(subscriptions)
  }

  /// Sends one message; an `acknowledged` event tells what became of it.
  func publish(_ message: MQTTMessage) async { await broker.publish([(message, 1)]) }

  /// A `timer` event comes after `delay`.
  @discardableResult
  func set(_ timer: Timer, after delay: Duration) -> LoopTimer {
    loop.schedule(after: delay) { [inbox] in inbox.yield(.timer(timer)) }
  }

  /// A `terminal` event, among the others.
  func post(_ event: FullScreen.Event) { inbox.yield(.terminal(event)) }

  /// Reads the retained documents of the fleet. There is no mark where they end: they precede the answer to a later
  /// subscription on brokers that work in order, and after a moment of silence they are there on all others.
  func fleet(_ scope: FleetView.Scope = .boards) async throws(CommandLineFailure) -> FleetView {
    var fleet = FleetView(base: settings.base, scope: scope)
    try await subscribe(to: fleet.filters)
    // Nobody publishes there; a broker that does not let us listen answers, too, and that is all we want.
    try? await subscribe(to: ["\(settings.base)/cli/settled"])
    var timer = set(.quiet, after: Self.quietTime)
    for await event in events {
      switch event {
      case .message(let message):
        fleet.apply(topic: message.topic, payload: message.payload)
        timer.cancel()
        timer = set(.quiet, after: Self.quietTime)
      case .timer(.quiet): return fleet
      case .lost(let failure): throw explain(failure)
      case .acknowledged, .timer, .terminal: break
      }
    }
    return fleet
  }
}
