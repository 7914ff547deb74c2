import Dialects
import FleetModel
import EventLoops
import Foundation
import Synchronization
import Mosquitto
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct EndTests {
  private static let will = MQTTMessage("will", "offline", isRetained: true)

  @Test func `the will is sent when the process dies`() async throws {
    try await MosquittoProcess.with { mosquitto in
      let witness = try await MosquittoTool.subscriber(port: mosquitto.port, to: "#")
      let port = mosquitto.port
      await #expect(processExitsWith: .signal(SIGKILL)) { [port = port as UInt16] in
        let loop = try EventLoop(name: "broker")
        let broker = MosquittoBroker(.init(host: "127.0.0.1", port: port, clientID: "doomed"), on: loop)
        var will = MQTTMessage("will", "offline", isRetained: true)
        will.properties.contentType = "text/plain"
        _ = try await broker.connect(will: will, protocolVersion: .mqtt5)
        raise(SIGKILL)
      }
      #expect(await witness.message() == "will offline")
    }
  }

  @Test func `the will is not sent after an orderly end, and what was published before has arrived`()
    async throws
  {
    try await MosquittoProcess.with { mosquitto in
      let witness = try await MosquittoTool.subscriber(port: mosquitto.port, to: "#")
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect(will: Self.will)
        await client.broker.publish([
          (MQTTMessage("last", "1"), 1), (MQTTMessage("last", "2", qualityOfService: .atMostOnce), 2),
        ])
        await client.broker.disconnect(within: TestClient.ample)
        #expect(await client.acknowledgement() == Acknowledgement(token: 1, failure: nil))
        #expect(await client.disconnection() == .connectionLost("closed on request"))
      }
      try await MosquittoTool.publish(port: mosquitto.port, "-t", "after", "-m", "")
      #expect(await witness.message() == "last 1")
      #expect(await witness.message() == "last 2")
      #expect(await witness.message() == "after ")
    }
  }

  @Test func `F62 a broker that has gone silent is given up`() async throws {
    let mosquitto = try MosquittoProcess()
    try await TestClient.with(port: mosquitto.port, { $0.keepalive = .seconds(5) }) { client in
      try await client.connect()
      mosquitto.freeze()
      #expect(await client.disconnection() == .connectionLost("no answer within the keep-alive time"))
    }
  }

  @Test func `F75 an orderly end waits for what is on its way`() async throws {
    let mosquitto = try MosquittoProcess()
    try await TestClient.with(port: mosquitto.port) { client in
      try await client.connect()
      let broker = client.broker
      mosquitto.freeze()
      await broker.publish([(MQTTMessage("a"), 1)])
      let end = Task { await broker.disconnect(within: TestClient.ample) }
      let refusal = FirstEvent(of: broker)
      // Nothing is taken any more once the end has begun.
      while refusal.isMissing {
        await broker.publish([(MQTTMessage("a", qualityOfService: .atMostOnce), 99)])
      }
      guard case .acknowledged(let answers) = await refusal.value,
        answers == [Acknowledgement(token: 99, failure: .connectionLost("not connected"))]
      else {
        Issue.record("the end did not wait")
        return
      }
      mosquitto.thaw()
      await end.value
      while let result = await client.acknowledgement() {
        #expect(result.token == 99 || result == Acknowledgement(token: 1, failure: nil))
      }
    }
  }

  @Test func `F99 connections leave no descriptors behind`() async throws {
    try await MosquittoProcess.with { mosquitto in
      _ = await #expect(processExitsWith: .success) { [port = mosquitto.port as UInt16] in
        func descriptors() throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        try await TestClient.with(port: port) { client in
          try await client.connect()
          let before = try descriptors()
          for _ in 0..<50 { try await client.connect() }
          // A dialling thread or two may still be about to end.
          if try descriptors() > before + 20 { exit(1) }
        }
      }
    }
  }

  @Test func `F75 a frozen broker does not hold up an orderly end`() async throws {
    let mosquitto = try MosquittoProcess()
    try await TestClient.with(port: mosquitto.port) { client in
      try await client.connect()
      mosquitto.freeze()
      await client.broker.publish([(MQTTMessage("a"), 1)])
      await client.broker.disconnect(within: .milliseconds(50))
      #expect(
        await client.acknowledgement()
          == Acknowledgement(token: 1, failure: .connectionLost("closed on request")))
      #expect(await client.disconnection() == .connectionLost("closed on request"))
    }
  }

  @Test func `an end without a connection is nothing`() async throws {
    try await TestClient.with(port: 1) { client in
      await client.broker.disconnect(within: TestClient.ample)
    }
  }

  @Test func `two may ask for the end`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        let broker = client.broker
        async let first: Void = broker.disconnect(within: TestClient.ample)
        async let second: Void = broker.disconnect(within: TestClient.ample)
        _ = await (first, second)
        #expect(await client.disconnection() == .connectionLost("closed on request"))
      }
    }
  }

  @Test func `F67 a broker that stops and returns is joined again`() async throws {
    let mosquitto = try MosquittoProcess()
    try await TestClient.with(port: mosquitto.port) { client in
      try await client.connect()
      mosquitto.stop()
      guard case .connectionLost = await client.disconnection() else { return #expect(Bool(false)) }
      try mosquitto.restart()
      #expect(try await client.connect().isSessionPresent == false)
      #expect(await client.publish(MQTTMessage("a")) == [Acknowledgement(token: 0, failure: nil)])
    }
  }
}

/// The first event of a broker, and whether it has come yet.
private final class FirstEvent: Sendable {
  private let task: Task<BrokerEvent?, Never>
  private let hasCome: Flag

  private final class Flag: Sendable { let isSet = Atomic(false) }

  init(of broker: MosquittoBroker) {
    let flag = Flag()
    hasCome = flag
    task = Task {
      for await event in broker.events {
        flag.isSet.store(true, ordering: .relaxed)
        return event
      }
      return nil
    }
  }

  var isMissing: Bool { !hasCome.isSet.load(ordering: .relaxed) }

  var value: BrokerEvent? {
    get async { await task.value }
  }
}
