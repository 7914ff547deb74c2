import Dialects
import FleetModel
import Support
import Testing

@testable import Mosquitto

@Suite(.timeLimit(.minutes(20))) struct ReceiveTests {
  @Test func `a message of an independent client arrives with all its properties`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        try await client.broker.subscribe(to: [Subscription("cmd/+")])
        try await MosquittoTool.publish(
          port: mosquitto.port, "-V", "5", "-t", "cmd/led", "-m", "{\"a\":1}",
          "-D", "publish", "response-topic", "reply/here", "-D", "publish", "correlation-data", "c-1",
          "-D", "publish", "content-type", "application/json", "-D", "publish", "user-property", "k", "v",
          "-D", "publish", "user-property", "k", "w", "-D", "publish", "message-expiry-interval", "60")
        var expected = MQTTMessage("cmd/led", "{\"a\":1}")
        expected.properties.responseTopic = "reply/here"
        expected.properties.correlationData = Array("c-1".utf8)
        expected.properties.contentType = "application/json"
        expected.properties.user = [.init("k", "v"), .init("k", "w")]
        expected.properties.expiryInterval = 60
        #expect(await client.message() == expected)
      }
    }
  }

  @Test func `F80 an old retained message and a new one with the flag are both seen as retained`()
    async throws
  {
    try await MosquittoProcess.with { mosquitto in
      try await MosquittoTool.publish(port: mosquitto.port, "-t", "cmd/a", "-m", "old", "-r")
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        try await client.broker.subscribe(to: [Subscription("cmd/+")])
        try await MosquittoTool.publish(port: mosquitto.port, "-t", "cmd/b", "-m", "new", "-r")
        try await MosquittoTool.publish(port: mosquitto.port, "-t", "cmd/c", "-m", "plain")
        var received: [MQTTMessage] = []
        for _ in 0..<3 { if let message = await client.message() { received.append(message) } }
        #expect(received.map(\.text) == ["old", "new", "plain"])
        #expect(received.map(\.isRetained) == [true, true, false])
      }
    }
  }

  @Test func `our own messages come back only where we want them`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        try await client.broker.subscribe(to: [Subscription("quiet", isNoLocal: true), Subscription("loud")])
        await client.broker.publish([
          (MQTTMessage("quiet", qualityOfService: .atMostOnce), 1),
          (MQTTMessage("loud", qualityOfService: .atMostOnce), 2),
        ])
        #expect(await client.message()?.topic == "loud")
      }
    }
  }

  @Test func `a refused subscription is an error that names it, a granted one beside it works`() async throws
  {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        // Mosquitto's own control topics are not for everybody.
        let failure = await #expect(throws: BrokerFailure.self) {
          try await client.broker.subscribe(to: [
            Subscription("good"), Subscription("$CONTROL/#"), Subscription("a/#/b"),
          ])
        }
        #expect(failure != nil)
        try await MosquittoTool.publish(port: mosquitto.port, "-t", "good", "-m", "x")
        #expect(await client.message()?.topic == "good")
      }
    }
  }

  @Test func `what is taken back does not come any more`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        try await client.broker.subscribe(to: [Subscription("a"), Subscription("b")])
        try await client.broker.unsubscribe(from: ["a"])
        try await MosquittoTool.publish(port: mosquitto.port, "-t", "a", "-m", "x")
        try await MosquittoTool.publish(port: mosquitto.port, "-t", "b", "-m", "x")
        #expect(await client.message()?.topic == "b")
      }
    }
  }

  @Test func `without a connection nothing can be subscribed`() async throws {
    try await TestClient.with(port: 1) { client in
      await #expect(throws: BrokerFailure.connectionLost("not connected")) {
        try await client.broker.subscribe(to: [Subscription("a")])
      }
    }
  }

  @Test func `who waits for a subscription learns that the connection has ended`() async throws {
    let mosquitto = try MosquittoProcess()
    try await TestClient.with(port: mosquitto.port) { client in
      try await client.connect()
      mosquitto.freeze()
      let broker = client.broker
      let subscription = Task { try await broker.subscribe(to: [Subscription("a")]) }
      mosquitto.kill()
      await #expect(throws: BrokerFailure.self) { try await subscription.value }
    }
  }

  @Test func `F81 a redelivery is marked`() async throws {
    // CONNACK; PUBLISH, QoS 1, DUP, "cmd", id 1, no properties, "x"; the same, id 2, without DUP.
    let first: [UInt8] = [0x3A, 0x09, 0, 3, 0x63, 0x6D, 0x64, 0, 1, 0, 0x78]
    let second: [UInt8] = [0x32, 0x09, 0, 3, 0x63, 0x6D, 0x64, 0, 2, 0, 0x78]
    let listener = try ScriptedListener(.answer([0x20, 0x03, 0, 0, 0] + first + second))
    try await TestClient.with(port: listener.port) { client in
      try await client.connect()
      #expect(await client.message()?.isRedelivery == true)
      #expect(await client.message()?.isRedelivery == false)
    }
  }

  @Test func `a slow consumer loses nothing, and the broker's messages wait outside`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        try await client.broker.subscribe(to: [Subscription("a")])
        // Twice what is kept for the consumer, published before it takes the first.
        let payload = String(repeating: "x", count: 64 * 1024)
        try await TestClient.with(port: mosquitto.port, clientID: "sender") { sender in
          try await sender.connect()
          for number in 0..<128 {
            _ = await sender.publish(MQTTMessage("a", "\(number) \(payload)"))
          }
        }
        for number in 0..<128 {
          #expect(await client.message()?.text.hasPrefix("\(number) ") == true)
        }
      }
    }
  }

  @Test func `what a slow consumer has not taken stays outside, up to a bound`() async throws {
    let mosquitto = try MosquittoProcess()
    try await TestClient.with(port: mosquitto.port) { client in
      try await client.connect()
      try await client.broker.subscribe(to: [Subscription("a")])
      let payload = String(repeating: "x", count: 64 * 1024)
      try await TestClient.with(port: mosquitto.port, clientID: "sender") { sender in
        try await sender.connect()
        for _ in 0..<512 { _ = await sender.publish(MQTTMessage("a", payload)) }
      }
      // The broker has 32 MB for us. What we hold back dies with it, but for the kernel's buffers.
      mosquitto.kill()
      var count = 0
      while await client.message() != nil { count += 1 }
      #expect((64..<300).contains(count), "\(count)")
    }
  }

  @Test func `a consumer that has given up before it asks is not kept waiting`() async throws {
    try await TestClient.with(port: 1) { client in
      let broker = client.broker
      let consumer = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await broker.nextEvent()
      }
      guard case .none = await consumer.value else {
        Issue.record("an event from nowhere")
        return
      }
    }
  }

  @Test func `a consumer that gives up gets the end of the stream`() async throws {
    try await TestClient.with(port: 1) { client in
      let broker = client.broker
      let consumer = Task {
        var count = 0
        for await _ in broker.events { count += 1 }
        return count
      }
      consumer.cancel()
      #expect(await consumer.value == 0)
    }
  }
}
