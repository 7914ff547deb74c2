import Dialects
import EventLoops
import FleetModel
import Foundation
import Glibc
import Mosquitto

/// Connects to the broker as the gateway would, under another client identifier, and asks what it grants: by messages
/// without content to a board that does not exist, which say nothing to anybody.
struct BrokerInspection: Sendable {
  let settings: UplinkConfiguration
  /// nil before there is a configuration.
  let gateway: String?
  /// First levels of Home Assistant's topics, where boards are announced there.
  let homeAssistant: String?

  private static let attempt = Duration.seconds(5)
  /// So long nothing comes any more.
  private static let quietTime = Duration.milliseconds(500)

  func look() async throws(CommandLineFailure) -> BrokerFacts {
    var facts = BrokerFacts(
      settings: settings, gateway: gateway, version: Version.text, now: .system, isRoot: geteuid() == 0)
    var settings = settings
    settings.connectTimeout = min(settings.connectTimeout, Self.attempt)
    do throws(CommandLineFailure) {
      if let file = settings.passwordFile { _ = try SecretFile.firstLine(of: file) }
    } catch {
      facts.passwordFailure = error.message
      return facts
    }
    facts.failure = try await Self.connect(settings)
    guard facts.failure == nil else { return facts }
    facts.isConnected = true
    let probe = gateway.map { TopicProbe(base: settings.base, gateway: $0, homeAssistant: homeAssistant) }
    let (start, limit) = (facts, settings)
    return (try? await ClientSession.with(limit) { try await Self.ask($0, probe, start) }) ?? facts
  }

  /// Why it cannot be; nil where it can.
  private static func connect(_ settings: UplinkConfiguration) async throws(CommandLineFailure)
    -> BrokerFailure?
  {
    let loop = try EventLoop.named("doctor")
    defer { loop.stop() }
    let broker = MosquittoBroker(
      try MosquittoConfiguration(settings, clientID: "metafleet-doctor-\(getpid())"), on: loop)
    let version: BrokerConnection.ProtocolVersion = settings.protocolChoice == .mqtt311 ? .mqtt311 : .mqtt5
    do throws(BrokerFailure) {
      _ = try await broker.connect(will: nil, protocolVersion: version)
      await broker.disconnect(within: .seconds(1))
      return nil
    } catch {
      return error == .unsupportedProtocol ? nil : error
    }
  }

  private static func ask(
    _ session: ClientSession, _ probe: TopicProbe?, _ start: BrokerFacts
  ) async throws -> BrokerFacts {
    var facts = start
    facts.fleet = try await session.fleet(.everything)
    try? await session.subscribe(to: ["\(session.settings.base)/+/+/cmd/+"])
    facts.retainedCommands = await retained(session)
    guard let probe else { return facts }
    var heard = await refused(session, probe.filters)
    var answers: [String: BrokerFacts.TopicFact] = [:]
    for topic in probe.published + probe.loops {
      await session.publish(MQTTMessage(topic: topic, payload: []))
      answers[topic] = await acknowledged(session, probe, &heard)
    }
    await listen(session, probe, &heard)
    // Where the broker does not tell what it refuses, silence tells nothing either.
    let tells = session.settings.protocolChoice != .mqtt311
    facts.topics = probe.topics(answers: answers, heard: heard, tells: tells)
    return facts
  }

  /// Filters that the broker does not let us listen to.
  private static func refused(_ session: ClientSession, _ filters: [String]) async -> [String: Bool] {
    var heard: [String: Bool] = [:]
    for filter in filters {
      do throws(CommandLineFailure) {
        try await session.subscribe(to: [filter], .atLeastOnce)
      } catch { heard[filter] = false }
    }
    return heard
  }

  private static func retained(_ session: ClientSession) async -> [String] {
    var topics: Set<String> = []
    // Not `.quiet`: one that was set while the fleet was read may be on its way yet.
    session.set(.deadline, after: quietTime)
    for await event in session.events {
      switch event {
      case .message(let message) where message.isRetained && !message.payload.isEmpty:
        if message.topic.split(separator: "/").dropLast().last == "cmd" { topics.insert(message.topic) }
      case .timer(.deadline), .lost: return topics.sorted()
      default: break
      }
    }
    return topics.sorted()
  }

  private static func acknowledged(
    _ session: ClientSession, _ probe: TopicProbe, _ heard: inout [String: Bool]
  ) async -> BrokerFacts.TopicFact {
    let timer = session.set(.deadline, after: attempt)
    defer { timer.cancel() }
    for await event in session.events {
      switch event {
      case .acknowledged(nil): return .granted
      case .acknowledged(.denied?), .acknowledged(.refused?): return .refused
      case .message(let message): probe.note(message, &heard)
      case .acknowledged, .timer(.deadline), .lost: return .unknown
      case .timer, .terminal: break
      }
    }
    return .unknown
  }

  private static func listen(
    _ session: ClientSession, _ probe: TopicProbe, _ heard: inout [String: Bool]
  ) async {
    session.set(.quiet, after: quietTime)
    for await event in session.events {
      switch event {
      case .message(let message): probe.note(message, &heard)
      case .timer(.quiet), .lost: return
      case .acknowledged, .timer, .terminal: break
      }
    }
  }
}
