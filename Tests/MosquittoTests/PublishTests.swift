import Dialects
import FleetModel
import Mosquitto
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct PublishTests {
  @Test func `a message reaches an independent client and is acknowledged by its token`() async throws {
    try await MosquittoProcess.with { mosquitto in
      let witness = try await MosquittoTool.subscriber(port: mosquitto.port, to: "#", format: "%t %q %p")
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        await client.broker.publish([
          (MQTTMessage("a/b", "é"), 7), (MQTTMessage("c", "", qualityOfService: .atMostOnce), 8),
        ])
        #expect(await client.acknowledgement() == Acknowledgement(token: 7, failure: nil))
        #expect(await witness.message() == "a/b 1 é")
        #expect(await witness.message() == "c 0 ")
      }
    }
  }

  @Test func `order is kept, and each token comes once`() async throws {
    try await MosquittoProcess.with { mosquitto in
      let witness = try await MosquittoTool.subscriber(port: mosquitto.port, to: "n", format: "%p")
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        await client.broker.publish((0..<100).map { (MQTTMessage("n", "\($0)"), UInt64($0)) })
        for number in 0..<100 {
          #expect(await client.acknowledgement() == Acknowledgement(token: UInt64(number), failure: nil))
          #expect(await witness.message() == "\(number)")
        }
      }
    }
  }

  @Test func `a retained message is there for who comes later`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        _ = await client.publish(MQTTMessage("state", "1", isRetained: true))
        let witness = try await MosquittoTool.subscriber(port: mosquitto.port, to: "#", format: "%t %r %p")
        #expect(await witness.message() == "state 1 1")
      }
    }
  }

  @Test func `properties arrive at an independent client`() async throws {
    try await MosquittoProcess.with { mosquitto in
      let witness = try await MosquittoTool.subscriber(
        port: mosquitto.port, to: "#", format: "%C|%F|%R|%D|%E|%P|%p")
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        var message = MQTTMessage("a", "{}")
        message.properties.contentType = "application/json"
        message.properties.responseTopic = "there"
        message.properties.correlationData = Array("abc".utf8)
        message.properties.expiryInterval = 60
        message.properties.user = [.init("replay", "1"), .init("x", "y")]
        _ = await client.publish(message)
        #expect(await witness.message() == "application/json|1|there|abc|60|replay:1 x:y|{}")
      }
    }
  }

  @Test func `F66 a denied message fails, and only that one`() async throws {
    var options = MosquittoProcess.Options()
    options.accessList = "topic write allowed\n"
    try await MosquittoProcess.with(options) { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        let results = await client.publish(
          MQTTMessage("allowed"), MQTTMessage("denied"), MQTTMessage("allowed"))
        #expect(results.map(\.token).sorted() == [0, 1, 2])
        #expect(results.first { $0.token == 1 }?.failure == .denied("Not authorized"))
        #expect(results.filter { $0.failure == nil }.count == 2)
      }
    }
  }

  @Test func `F66 the largest packet the broker takes goes, one byte more fails alone`() async throws {
    var options = MosquittoProcess.Options()
    options.lines = ["max_packet_size 1000"]
    try await MosquittoProcess.with(options) { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        var message = MQTTMessage("a")
        message.properties.contentType = "text/plain"
        message.properties.expiryInterval = 60
        message.properties.user = [.init("replay", "1")]
        // Fixed header 3, topic 3, identifier 2, properties 1 + 13 + 2 + 5 + 12.
        message.payload = Array(repeating: 0x61, count: 1000 - 41)
        var larger = message
        larger.payload.append(0x61)
        await client.broker.publish([(larger, 1), (message, 2)])
        #expect(await client.acknowledgement() == Acknowledgement(token: 1, failure: .tooLarge))
        #expect(await client.acknowledgement() == Acknowledgement(token: 2, failure: nil))
      }
    }
  }

  @Test func `F66 a payload beyond the broker's own limit is too large`() async throws {
    var options = MosquittoProcess.Options()
    options.lines = ["message_size_limit 10"]
    try await MosquittoProcess.with(options) { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        #expect(
          await client.publish(MQTTMessage("a", "more than ten bytes"))
            == [Acknowledgement(token: 0, failure: .tooLarge)])
      }
    }
  }

  @Test(arguments: ["", "a/+/b", "#", "a\0b", String(repeating: "x", count: 65_536)])
  func `F85 what is no topic fails alone`(topic: String) async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        await client.broker.publish([(MQTTMessage(topic), 1), (MQTTMessage("good"), 2)])
        let failed = await client.acknowledgement()
        #expect(failed?.token == 1)
        guard case .misuse = failed?.failure else { return #expect(failed?.failure == .misuse("")) }
        #expect(await client.acknowledgement() == Acknowledgement(token: 2, failure: nil))
      }
    }
  }

  @Test func `F85 a NUL in a property fails alone`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        var messages = [MQTTMessage("a"), MQTTMessage("a"), MQTTMessage("a"), MQTTMessage("a")]
        messages[0].properties.user = [.init("a\0", "b")]
        messages[1].properties.responseTopic = "a\0"
        messages[2].properties.correlationData = Array(repeating: 0, count: 70_000)
        messages[3].properties.correlationData = Array(repeating: 0, count: 65_535)
        await client.broker.publish(zip(messages, 0...).map { ($0, $1) })
        for token in 0..<3 {
          let failed = await client.acknowledgement()
          #expect(failed?.token == UInt64(token))
          guard case .misuse = failed?.failure else { return #expect(failed?.failure == .misuse("")) }
        }
        #expect(await client.acknowledgement() == Acknowledgement(token: 3, failure: nil))
      }
    }
  }

  @Test func `without a connection every message fails, QoS 0 too`() async throws {
    try await TestClient.with(port: 1) { client in
      await client.broker.publish([
        (MQTTMessage("a"), 1), (MQTTMessage("a", qualityOfService: .atMostOnce), 2),
      ])
      for token: UInt64 in [1, 2] {
        #expect(
          await client.acknowledgement()
            == Acknowledgement(token: token, failure: .connectionLost("not connected")))
      }
    }
  }

  @Test func `F64 messages on their way when the broker dies fail once, then the connection has ended once`()
    async throws
  {
    let mosquitto = try MosquittoProcess()
    try await TestClient.with(port: mosquitto.port) { client in
      try await client.connect()
      mosquitto.freeze()
      await client.broker.publish((0..<50).map { (MQTTMessage("a"), $0) })
      mosquitto.kill()
      for token: UInt64 in 0..<50 {
        let result = await client.acknowledgement()
        #expect(result?.token == token)
        guard case .connectionLost = result?.failure else {
          return #expect(result?.failure == .connectionLost(""))
        }
      }
      guard case .connectionLost = await client.disconnection() else { return #expect(Bool(false)) }
      // Nothing more comes: the next event is the answer to this.
      #expect(
        await client.publish(MQTTMessage("a"))
          == [Acknowledgement(token: 0, failure: .connectionLost("not connected"))])
    }
  }

  @Test func `F72 live messages beyond what the connection carries are dropped and said so`() async throws {
    let mosquitto = try MosquittoProcess()
    try await TestClient.with(port: mosquitto.port) { client in
      try await client.connect()
      mosquitto.freeze()
      // The kernel's buffers take some megabytes; then the library piles up.
      let payload = String(repeating: "x", count: 64 * 1024)
      for round: UInt64 in 0..<400 {
        await client.broker.publish([(MQTTMessage("a", payload, qualityOfService: .atMostOnce), round)])
      }
      guard case .refused(0x97, _) = await client.acknowledgement()?.failure else {
        Issue.record("nothing was dropped")
        return
      }
      // A record is still taken: its publisher has a window.
      await client.broker.publish([(MQTTMessage("a", "record"), 1_000)])
      mosquitto.thaw()
      while let result = await client.acknowledgement(), result.token != 1_000 {
        guard case .refused(0x97, _) = result.failure else {
          Issue.record("\(result)")
          return
        }
      }
    }
  }
}
