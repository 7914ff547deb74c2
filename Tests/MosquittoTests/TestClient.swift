import Dialects
import FleetModel
import EventLoops
import Mosquitto

/// A broker connection under test, on a loop of its own.
final class TestClient {
  let broker: MosquittoBroker
  private let loop: EventLoop
  private var answers: [Acknowledgement] = []

  init(_ configuration: MosquittoConfiguration, password: MosquittoBroker.PasswordReader? = nil) throws {
    loop = try EventLoop(name: "broker")
    broker = MosquittoBroker(configuration, password: password, on: loop)
  }

  /// Longer than any test takes on a machine that is busy with others. What a limit does is tested with short ones.
  static let ample = Duration.seconds(600)

  /// Runs `body` with a client of the broker at `port`, not connected yet.
  static func with(
    port: UInt16, clientID: String = "metafleet-test", password: MosquittoBroker.PasswordReader? = nil,
    _ change: (inout MosquittoConfiguration) -> Void = { _ in },
    _ body: (TestClient) async throws -> Void
  ) async throws {
    var configuration = MosquittoConfiguration(
      host: "127.0.0.1", port: port, clientID: clientID, keepalive: ample, connectTimeout: ample)
    change(&configuration)
    let client = try TestClient(configuration, password: password)
    try await body(client)
    await client.broker.disconnect(within: .zero)
    client.loop.stop()
  }

  @discardableResult
  func connect(
    will: MQTTMessage? = nil, _ version: BrokerConnection.ProtocolVersion = .mqtt5
  ) async throws(BrokerFailure) -> BrokerConnection {
    try await broker.connect(will: will, protocolVersion: version)
  }

  func next() async -> BrokerEvent? {
    for await event in broker.events { return event }
    return nil
  }

  /// The next event, which is a message.
  func message() async -> MQTTMessage? {
    switch await next() {
    case .message(let message): return message
    case .acknowledged, .disconnected, nil: return nil
    }
  }

  /// The next acknowledgement, unless something else comes first.
  func acknowledgement() async -> Acknowledgement? {
    if answers.isEmpty, case .acknowledged(let more) = await next() { answers += more }
    return answers.isEmpty ? nil : answers.removeFirst()
  }

  /// The next event, which is the end of the connection.
  func disconnection() async -> BrokerFailure? {
    switch await next() {
    case .disconnected(let failure): return failure
    case .message, .acknowledged, nil: return nil
    }
  }

  /// Publishes and expects success for each, in order.
  func publish(_ messages: MQTTMessage...) async -> [Acknowledgement] {
    await broker.publish(messages.enumerated().map { ($1, UInt64($0)) })
    var acknowledgements: [Acknowledgement] = []
    for message in messages where message.qualityOfService != .atMostOnce {
      if let acknowledgement = await acknowledgement() { acknowledgements.append(acknowledgement) }
    }
    return acknowledgements
  }
}

extension MQTTMessage {
  init(
    _ topic: String, _ text: String = "{}", qualityOfService: QualityOfService = .atLeastOnce,
    isRetained: Bool = false
  ) {
    self.init(
      topic: topic, payload: Array(text.utf8), qualityOfService: qualityOfService, isRetained: isRetained)
  }

  var text: String { String(decoding: payload, as: UTF8.self) }
}
