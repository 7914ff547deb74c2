import Dialects
import FleetModel
import Testing

@Suite struct PlainDialectTests {
  private let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))
  private let time = Timestamp(milliseconds: 1_763_671_234_567)
  private static let root = "m/board/e5a1c2d3f4b6"

  private static let batch: SampleBatch = {
    var batch = SampleBatch(
      board: .example, stream: "switch", fields: [.init("pressed", "", .flag)], session: .example, boot: 1,
      sequence: 0,
      gapBefore: 0, clock: ClockQuality(source: .arrival, errorMilliseconds: 100), configuration: nil)
    batch.times = [Timestamp(milliseconds: 1), Timestamp(milliseconds: 2)]
    batch.values = [1, 0]
    return batch
  }()

  private static let info = BoardInfo(
    board: .example, family: "metamotion", name: "Pump", site: nil, profile: nil, groups: [], labels: [:],
    verbs: [],
    description: nil, interviewed: nil, changed: Timestamp(milliseconds: 1))

  private static let gatewayInfo = GatewayInfo(
    site: nil, version: "1", host: "h", operatingSystem: "L", configurationHash: "",
    started: Timestamp(milliseconds: 1),
    adapters: [], boards: [], admissionMode: "listed", verbs: [], mqttProtocol: "5",
    changed: Timestamp(milliseconds: 1))

  private static let reply = CommandReply(
    id: "a", target: .board(.example), verb: "led", stage: .accepted, time: Timestamp(milliseconds: 1))

  /// Event, topic, QoS, retain, class: the table of MQTT API 2.
  private static let eventsCases: [(FleetEvent, String, UInt8, Bool, DeliveryClass?)] = {
    let time = Timestamp(milliseconds: 1)
    let live = LiveSample(board: .example, stream: "switch", fields: [], time: time, sequence: 0, values: [])
    let button = EventMessage(.button, "press", subject: .board(.example), id: .example, time: time)
    let started = EventMessage(.process, "started", subject: .gateway, id: .example, time: time)
    return [
      (.live(live), "\(root)/live/switch", 0, false, nil),
      (.batch(batch), "\(root)/record/switch", 1, false, .record),
      (.info(info), "\(root)/info", 1, true, .state),
      (
        .availability(.example, Availability(reason: .connected, since: time)), "\(root)/availability", 1,
        true, .state
      ),
      (.state(BoardState(board: .example, link: .idle, time: time)), "\(root)/state", 1, true, .state),
      (.led(.example, LEDState(appearance: nil, until: nil, time: time)), "\(root)/led", 1, true, .state),
      (.gatewayInfo(gatewayInfo), "m/gateway/gw/info", 1, true, .state),
      (.health(time, [:]), "m/gateway/gw/health", 1, true, .state),
      (
        .adapter(time, AdapterReport(id: .example, name: "hci0", state: "up", slotsTotal: 5)),
        "m/gateway/gw/adapter/001a7dda7113", 1, true, .state
      ), (.happened(button), "\(root)/event/button", 1, false, .event),
      (.happened(started), "m/gateway/gw/event/process", 1, false, .event),
      (.reply(reply), "\(root)/reply/led", 1, false, .state),
    ]
  }()

  @Test(arguments: eventsCases)
  func `events`(event: FleetEvent, topic: String, qos: UInt8, isRetained: Bool, deliveryClass: DeliveryClass?)
    throws
  {
    let messages = dialect.messages(for: event)
    let message = try #require(messages.first)
    #expect(messages.count == 1)
    #expect(message.message.topic == topic)
    #expect(message.message.qualityOfService.rawValue == qos)
    #expect(message.message.isRetained == isRetained)
    #expect(message.deliveryClass == deliveryClass)
    #expect(throws: Never.self) { try object(message.message.payload) }
  }

  @Test func `F89 a name with control text is escaped in the document, and in no topic`() throws {
    var info = Self.info
    info.name = "m/+/#\u{1B}[31m\u{202E}\n"
    let messages = dialect.messages(for: .info(info))
    #expect(messages.map(\.message.topic) == ["\(Self.root)/info"])
    let payload = String(decoding: messages.first?.message.payload ?? [], as: UTF8.self)
    #expect(payload.contains(#"\u001b[31m"#) && !payload.contains("\u{1B}") && !payload.contains("\n"))
  }

  @Test func `samples are counted`() {
    #expect(dialect.messages(for: .batch(Self.batch)).map(\.samples) == [2])
    #expect(dialect.messages(for: .reply(Self.reply)).map(\.samples) == [0])
  }

  @Test func `MQTT API 4: a forgotten board leaves no retained topic behind`() {
    let messages = dialect.messages(for: .forgotten(.example))
    #expect(
      Set(messages.map(\.message.topic))
        == Set(["info", "availability", "state", "config", "firmware", "led"].map { "\(Self.root)/\($0)" }))
    #expect(
      messages.allSatisfy {
        $0.message.payload.isEmpty && $0.message.isRetained && $0.deliveryClass == .state
      })
  }

  @Test(
    arguments: [
      "m/board/e5a1c2d3f4b6/cmd/reset", "m/board/e5a1c2d3f4b6/state", "m/group/all/cmd/reset",
      "m/gateway/other/availability",
    ])
  func `F85 no answer goes where gateways speak or are commanded, whoever asks for it`(topic: String) {
    var reply = Self.reply
    reply.replyTo.responseTopic = topic
    #expect(dialect.messages(for: .reply(reply)).map(\.message.topic) == ["\(Self.root)/reply/led"])
  }

  @Test(
    arguments: [
      (ResponseTopics.any, true), (.none, false), (.below(["me"]), true),
      (.below(["you", "me/answers"]), true),
      (.below(["m"]), false),
    ])
  func `F85 answers go only where the file lets them go, and always to the reply topic`(
    _ responseTopics: ResponseTopics, _ goes: Bool
  ) {
    var reply = Self.reply
    reply.replyTo.responseTopic = "me/answers"
    let dialect = PlainDialect(topics: dialect.topics, responseTopics: ResponseRights(responseTopics))
    #expect(
      dialect.messages(for: .reply(reply)).map(\.message.topic)
        == ["\(Self.root)/reply/led"] + (goes ? ["me/answers"] : []))
  }

  @Test func `a reply also goes where the requester wants it, with its correlation data`() {
    var reply = Self.reply
    reply.replyTo.responseTopic = "me/answers"
    reply.replyTo.correlationData = [1, 2, 3]
    let messages = dialect.messages(for: .reply(reply))
    #expect(messages.map(\.message.topic) == ["\(Self.root)/reply/led", "me/answers"])
    #expect(messages.allSatisfy { $0.message.properties.contentType == "application/json" })
    #expect(messages.allSatisfy { $0.message.properties.isText })
    #expect(messages.map(\.message.properties.correlationData) == [[], [1, 2, 3]])
    #expect(messages[0].message.payload == messages[1].message.payload)
    #expect(messages.allSatisfy { !$0.message.isRetained })
  }

  // Birth, will, offline message (MQTT API 4).

  @Test func `F69 will and birth carry the same number on the same retained topic`() throws {
    let (will, birth) = (dialect.will(birth: 7), dialect.birth(7, at: time, reason: "started"))
    #expect(will.topic == "m/gateway/gw/availability" && birth.message.topic == will.topic)
    #expect(will.isRetained && birth.message.isRetained && will.qualityOfService == .atLeastOnce)
    #expect(try object(will.payload) == ["state": "offline", "birth": 7])
    #expect(
      try object(birth.message.payload) == [
        "state": "online", "birth": 7, "since_ms": 1_763_671_234_567, "reason": "started",
      ])
    #expect(try object(dialect.offlineMessage(birth: 7, at: time).message.payload)["reason"] == "stopped")
    #expect(try object(dialect.offlineMessage(birth: 7, at: time).message.payload)["state"] == "offline")
  }

  @Test func `commands are heard without our own; our availability is heard with it`() {
    let byFilter = Dictionary(uniqueKeysWithValues: dialect.subscriptions.map { ($0.filter, $0.isNoLocal) })
    #expect(
      byFilter == [
        "m/board/+/cmd/#": true, "m/group/+/cmd/#": true, "m/gateway/gw/cmd/#": true,
        "m/gateway/gw/availability": false,
      ])
    #expect(dialect.identityTopics(of: .example) == ["\(Self.root)/info"])
  }

  // Reading.

  private func read(_ topic: String, _ payload: String, retained: Bool = false) -> IncomingMessage {
    var message = MQTTMessage(topic: topic, payload: Array(payload.utf8), isRetained: retained)
    message.isRetained = retained
    return dialect.read(message, arrived: time) { "fresh" }
  }

  @Test func `commands are read`() {
    guard
      case .command(.board(.example), verb: "led", .request(let request)) = read("\(Self.root)/cmd/led", "{}")
    else {
      Issue.record("no request")
      return
    }
    #expect(request.id == "fresh" && request.target == .board(.example) && request.verb == "led")
  }

  private func refusal(_ topic: String, _ payload: String, retained: Bool = false) -> RefusedCommand? {
    guard case .command(_, verb: "led", .refused(let refused)) = read(topic, payload, retained: retained)
    else {
      return nil
    }
    return refused
  }

  @Test func `what is published below a command is answered with where it belongs`() throws {
    let refused = try #require(refusal("\(Self.root)/cmd/led/set", #"{"id":"a"}"#))
    #expect(refused.id == "a" && refused.failure.code == .invalid)
    #expect(refused.failure.message.contains("/cmd/led,"))
    #expect(refusal("\(Self.root)/cmd/led/set", "{}", retained: true)?.failure.code == .retained)
    guard case .command(_, verb: "led", .empty) = read("\(Self.root)/cmd/led/set", "") else {
      return #expect(Bool(false), "an empty payload clears a topic")
    }
  }

  @Test(
    arguments: [
      (#""my id!""#, "my id!"), ("7", "not 7"), (#"{"a":[1]}"#, "[1]"),
      ("\"" + String(repeating: "x", count: 65) + "\"", String(repeating: "x", count: 39) + "..."),
      (#""a\u202Eb""#, "\\u{202E}"),
    ])
  func `an id that cannot be used is shown, short and escaped`(sent: String, shown: String) throws {
    let refused = try #require(refusal("\(Self.root)/cmd/led", #"{"id":\#(sent)}"#))
    #expect(refused.id == "fresh" && refused.failure.code == .invalid)
    #expect(refused.failure.message.contains(shown), "\(refused.failure.message)")
  }

  @Test func `retained documents of boards are read`() {
    guard
      case .boardDocument(.example, let topic, let payload, true) = read(
        "\(Self.root)/info", #"{"gw":"x"}"#, retained: true)
    else {
      Issue.record("no document")
      return
    }
    #expect(topic == "\(Self.root)/info" && payload.count == 10)
  }

  private static let ownAvailabilityCases: [(String, Bool, Int?)] = [
    (#"{"state":"online","birth":7}"#, true, 7), (#"{"state":"offline","birth":6}"#, false, 6),
    (#"{"state":"online"}"#, true, nil), ("", false, nil), ("offline", false, nil),
    (#"{"state":"online","birth":"7"}"#, true, nil), (#"{"state":"online","birth":1e300}"#, true, nil),
  ]

  @Test(arguments: ownAvailabilityCases)
  func `F69 our own availability is understood, whoever wrote it`(
    payload: String, isOnline: Bool, birth: Int?
  ) {
    guard case .ownAvailability(let state, let number) = read("m/gateway/gw/availability", payload) else {
      Issue.record("not our availability")
      return
    }
    #expect(state == isOnline && number == birth)
  }

  @Test func `another gateway's availability says that there is, or was, one`() {
    guard case .otherGateway("other") = read("m/gateway/other/availability", #"{"state":"offline"}"#) else {
      Issue.record("not understood")
      return
    }
  }

  @Test(arguments: [
    "m/gateway/other/info", "m/board/x/cmd/led", "elsewhere", "\(root)/record/switch",
  ])
  func `the rest is unknown`(topic: String) {
    guard case .unknown = read(topic, "{}") else {
      Issue.record("understood")
      return
    }
  }
}
