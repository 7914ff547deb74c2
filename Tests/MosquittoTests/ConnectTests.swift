import Dialects
import FleetModel
import Glibc
import Mosquitto
import Support
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct ConnectTests {
  @Test func `an MQTT 5 connection says what the broker allows`() async throws {
    var options = MosquittoProcess.Options()
    options.lines = ["max_inflight_messages 7", "max_packet_size 5000"]
    try await MosquittoProcess.with(options) { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        let connection = try await client.connect()
        #expect(
          connection
            == BrokerConnection(
              protocolVersion: .mqtt5, isSessionPresent: false, receiveMaximum: 7, maximumPacketSize: 5000))
      }
    }
  }

  @Test func `the broker keeps our session for the next connection`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        #expect(try await client.connect().isSessionPresent == false)
        try await client.broker.subscribe(to: [Subscription("a")])
        await client.broker.disconnect(within: TestClient.ample)
        _ = await client.disconnection()
        try await MosquittoTool.publish(port: mosquitto.port, "-t", "a", "-m", "while away")
        #expect(try await client.connect().isSessionPresent)
        #expect(await client.message()?.text == "while away")
      }
    }
  }

  @Test func `F232 a session that ends with its client outlives a loss, and nothing else`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port, { $0.sessionEnd = .withClient }) { client in
        #expect(try await client.connect().isSessionPresent == false)
        try await client.broker.subscribe(to: [Subscription("a")])
        // Of the connection that this one replaces the broker hears nothing more.
        #expect(try await client.connect().isSessionPresent)
        _ = await client.disconnection()
        await client.broker.disconnect(within: TestClient.ample)
        _ = await client.disconnection()
        #expect(try await client.connect().isSessionPresent == false)
        _ = try await client.connect(.mqtt311)
        _ = await client.disconnection()
        #expect(try await client.connect(.mqtt311).isSessionPresent == false)
        _ = await client.disconnection()
      }
    }
  }

  @Test func `F61 nobody listens: unreachable`() async throws {
    let mosquitto = try MosquittoProcess()
    mosquitto.stop()
    try await TestClient.with(port: mosquitto.port) { client in
      await #expect(throws: BrokerFailure.unreachable("Connection refused")) { try await client.connect() }
      try mosquitto.restart()
      try await client.connect()
    }
  }

  @Test func `F61 an unknown name: unreachable`() async throws {
    try await TestClient.with(port: 1883, { $0.host = "no..such..name" }) { client in
      let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
      guard case .unreachable = failure else { return #expect(failure == .unreachable("")) }
    }
  }

  @Test(arguments: [nil, "wrong"])
  func `F61 the wrong password: not authorised, the right one afterwards`(password: String?) async throws {
    var options = MosquittoProcess.Options()
    options.users = ["gateway": "s3cret"]
    try await MosquittoProcess.with(options) { mosquitto in
      func configure(_ password: String?) -> (inout MosquittoConfiguration) -> Void {
        { configuration in
          configuration.username = password == nil ? nil : "gateway"
          configuration.password = password.map { Array($0.utf8) }
        }
      }
      try await TestClient.with(port: mosquitto.port, configure(password)) { client in
        for version in [BrokerConnection.ProtocolVersion.mqtt5, .mqtt311] {
          let failure = await #expect(throws: BrokerFailure.self) { try await client.connect(version) }
          guard case .notAuthorised = failure else { return #expect(failure == .notAuthorised("")) }
        }
      }
      try await TestClient.with(port: mosquitto.port, configure("s3cret")) { client in
        try await client.connect()
      }
    }
  }

  @Test func `F254 the password is asked for with each connection, and one that cannot be had is no attempt`()
    async throws
  {
    var options = MosquittoProcess.Options()
    options.users = ["gateway": "s3cret"]
    try await MosquittoProcess.with(options) { mosquitto in
      let passwords = Mutex(["wrong", "", "s3cret"])
      let reader: MosquittoBroker.PasswordReader = { () throws(BrokerFailure) in
        let password = passwords.withLock { $0.removeFirst() }
        if password.isEmpty { throw .unusableSecret("the file is empty") }
        return Array(password.utf8)
      }
      try await TestClient.with(port: mosquitto.port, password: reader, { $0.username = "gateway" }) {
        client in
        let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
        guard case .notAuthorised = failure else { return #expect(failure == .notAuthorised("")) }
        await #expect(throws: BrokerFailure.unusableSecret("the file is empty")) {
          try await client.connect()
        }
        try await client.connect()
      }
    }
  }

  @Test func `F251 another configuration counts from the next connection on`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port, { $0.host = "no..such..name" }) { client in
        await #expect(throws: BrokerFailure.self) { try await client.connect() }
        await client.broker.use(
          MosquittoConfiguration(
            host: "127.0.0.1", port: mosquitto.port, clientID: "other", keepalive: TestClient.ample,
            connectTimeout: TestClient.ample))
        try await client.connect()
      }
    }
  }

  @Test(arguments: [[0x20, 0x02, 0x00, 0x01], [0x20, 0x03, 0x00, 0x84, 0x00]] as [[UInt8]])
  func `a broker that does not speak MQTT 5 is told from others`(answer: [UInt8]) async throws {
    let listener = try ScriptedListener(.answer(answer))
    try await TestClient.with(port: listener.port) { client in
      await #expect(throws: BrokerFailure.unsupportedProtocol) { try await client.connect() }
    }
  }

  @Test func `MQTT 3_1_1 works as the fall-back`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        let connection = try await client.connect(.mqtt311)
        #expect(
          connection
            == BrokerConnection(
              protocolVersion: .mqtt311, isSessionPresent: false, receiveMaximum: 65_535,
              maximumPacketSize: nil))
        try await client.broker.subscribe(to: [Subscription("a", isNoLocal: true)])
        var message = MQTTMessage("a", "hello")
        message.properties.contentType = "text/plain"
        await client.broker.publish([(message, 1)])
        // Without the properties, and back to ourselves: 3.1.1 knows neither.
        let first = await client.next()
        let second = await client.next()
        let received = [first, second].compactMap {
          if case .message(let message) = $0 { message } else { nil }
        }
        #expect(received == [MQTTMessage("a", "hello")])
      }
    }
  }

  @Test func `F63 a listener that never answers: the attempt ends in time`() async throws {
    let listener = try ScriptedListener(.silence)
    try await TestClient.with(port: listener.port, { $0.connectTimeout = .milliseconds(100) }) { client in
      let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
      guard case .unreachable = failure else { return #expect(failure == .unreachable("")) }
    }
  }

  @Test func `F63 a listener that never takes the connection: the attempt ends in time`() async throws {
    let listener = try ScriptedListener(nil)
    let filler = listener.fill()
    defer { close(filler) }
    try await TestClient.with(port: listener.port, { $0.connectTimeout = .milliseconds(100) }) { client in
      let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
      guard case .unreachable = failure else { return #expect(failure == .unreachable("")) }
    }
  }

  @Test(arguments: [true, false])
  func `F63 the loop works while an attempt hangs, and giving up ends it`(isTaken: Bool) async throws {
    let listener = try ScriptedListener(isTaken ? .silence : nil)
    let filler = isTaken ? -1 : listener.fill()
    defer { close(filler) }
    try await TestClient.with(port: listener.port) { client in
      let broker = client.broker
      let attempt = Task { try await broker.connect(will: nil, protocolVersion: .mqtt5) }
      if isTaken { for await _ in listener.greetings { break } }
      // The time-out is far away: that this returns at all shows that nothing waits for the attempt.
      #expect(
        await client.publish(MQTTMessage("a")) == [
          Acknowledgement(token: 0, failure: .connectionLost("not connected"))
        ])
      attempt.cancel()
      await #expect(throws: BrokerFailure.unreachable("the attempt was given up")) { try await attempt.value }
    }
  }

  @Test func `a task that is cancelled already does not connect`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        let broker = client.broker
        let attempt = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await broker.connect(will: nil, protocolVersion: .mqtt5)
        }
        await #expect(throws: BrokerFailure.unreachable("the attempt was given up")) {
          try await attempt.value
        }
        try await client.connect()
      }
    }
  }

  @Test func `a new connection replaces the old one`() async throws {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        try await client.connect()
        try await client.connect()
        #expect(await client.disconnection() == .connectionLost("replaced by a new connection"))
        #expect(await client.publish(MQTTMessage("a")) == [Acknowledgement(token: 0, failure: nil)])
      }
    }
  }

  @Test func `F70 a broker that says so tells of a take-over`() async throws {
    // CONNACK, then DISCONNECT with reason 0x8E.
    let listener = try ScriptedListener(.answer([0x20, 0x03, 0, 0, 0, 0xE0, 0x01, 0x8E]))
    try await TestClient.with(port: listener.port) { client in
      try await client.connect()
      #expect(await client.disconnection() == .sessionTakenOver)
    }
  }

  @Test func `F70 somebody with our identifier ends our connection, of which mosquitto says no more`()
    async throws
  {
    try await MosquittoProcess.with { mosquitto in
      try await TestClient.with(port: mosquitto.port) { first in
        try await first.connect()
        try await TestClient.with(port: mosquitto.port) { second in
          try await second.connect()
          #expect(await first.disconnection() == .connectionLost("the broker closed it"))
        }
      }
    }
  }

  @Test func `an identifier or a name with a NUL is our fault, not a crash`() async throws {
    try await TestClient.with(port: 1883, { $0.host = "a\0b" }) { client in
      let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
      guard case .misuse = failure else { return #expect(failure == .misuse("")) }
    }
  }

  @Test func `the password is not shown`() {
    let configuration = MosquittoConfiguration(
      host: "broker", port: 1883, username: "gateway", password: Array("s3cret".utf8), clientID: "metafleet-x"
    )
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(configuration)", String(reflecting: configuration), dumped] {
      #expect(!text.contains("s3cret") && !text.contains("115"), "\(text)")
    }
  }
}
