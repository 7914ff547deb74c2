import Dialects
import EventLoops
import Glibc
import Mosquitto
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct EndTests {
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
        await client.broker.disconnect(within: .seconds(30))
        #expect(await client.acknowledgement() == Acknowledgement(token: 1, failure: nil))
        #expect(await client.disconnection() == .connectionLost("closed by us"))
      }
      try await MosquittoTool.publish(port: mosquitto.port, "-t", "after", "-m", "")
      #expect(await witness.message() == "last 1")
      #expect(await witness.message() == "last 2")
      #expect(await witness.message() == "after ")
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
        await client.acknowledgement() == Acknowledgement(token: 1, failure: .connectionLost("closed by us")))
      #expect(await client.disconnection() == .connectionLost("closed by us"))
    }
  }

  @Test func `an end without a connection is nothing`() async throws {
    try await TestClient.with(port: 1) { client in
      await client.broker.disconnect(within: .seconds(30))
    }
  }

  @Test func `two may ask for the end`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        let broker = client.broker
        async let first: Void = broker.disconnect(within: .seconds(30))
        async let second: Void = broker.disconnect(within: .seconds(30))
        _ = await (first, second)
        #expect(await client.disconnection() == .connectionLost("closed by us"))
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
