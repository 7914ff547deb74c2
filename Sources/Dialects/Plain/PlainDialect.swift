package import FleetModel

/// The plain JSON dialect of the MQTT API, version 1.
package struct PlainDialect: Dialect {
  package let topics: TopicTree
  private let encodings: SampleEncodings
  private let responseTopics: ResponseRights
  private var gateway: String { topics.gateway }

  /// Speaks below `topics`; batches go out in `encodings`, answers also to those `responseTopics` that senders name.
  package init(
    topics: TopicTree, encodings: SampleEncodings = SampleEncodings(),
    responseTopics: ResponseRights = ResponseRights()
  ) {
    (self.topics, self.encodings, self.responseTopics) = (topics, encodings, responseTopics)
  }

  package var contentType: String { "application/json" }

  package func will(birth: Int) -> MQTTMessage {
    retained(topics.gatewayAvailability, GatewayAvailabilityDocument(isOnline: false, birth: birth)).message
  }

  package func birth(_ birth: Int, at time: Timestamp, reason: String) -> OutgoingMessage {
    retained(
      topics.gatewayAvailability,
      GatewayAvailabilityDocument(isOnline: true, birth: birth, since: time, reason: reason))
  }

  package func offlineMessage(birth: Int, at time: Timestamp) -> OutgoingMessage {
    retained(
      topics.gatewayAvailability,
      GatewayAvailabilityDocument(isOnline: false, birth: birth, since: time, reason: "stopped"))
  }

  package var subscriptions: [Subscription] {
    topics.commandFilters.map { Subscription($0, isNoLocal: true) } + [
      Subscription(topics.gatewayAvailability)
    ]
  }

  package var retainedFilters: [String] { topics.boardDocumentFilters + topics.gatewayDocuments }

  package func earlierDocuments(published: some Sequence<String>) -> EarlierDocuments {
    EarlierDocuments(published: published, now: topics)
  }

  package var gatewayFilters: [String] { [topics.gatewayAvailabilityFilter] }

  package func identityTopics(of board: BoardID) -> [String] { [topics.board(board, .info)] }

  package func messages(for event: FleetEvent) -> [OutgoingMessage] {
    switch event {
    case .live(let sample):
      [
        OutgoingMessage(
          MQTTMessage(
            topic: topics.board(sample.board, .live, sample.stream),
            payload: SampleCodec.live(sample, gateway: topics.gateway), qualityOfService: .atMostOnce), nil,
          samples: 1)
      ]
    case .batch(let batch): messages(for: batch)
    case .info(let info):
      [retained(topics.board(info.board, .info), BoardInfoDocument(info, gateway: gateway))]
    case .availability(let board, let availability):
      [retained(topics.board(board, .availability), AvailabilityDocument(availability, gateway: gateway))]
    case .state(let state):
      [retained(topics.board(state.board, .state), BoardStateDocument(state, gateway: gateway))]
    case .configuration(let report):
      [retained(topics.board(report.board, .config), ConfigurationDocument(report))]
    case .firmware(let report): [retained(topics.board(report.board, .firmware), FirmwareDocument(report))]
    case .led(let board, let state): [retained(topics.board(board, .led), LEDDocument(state))]
    case .forgotten(let board):
      TopicTree.BoardDocument.allCases.map { cleared(topics.board(board, $0)) }
    case .gatewayInfo(let info): [retained(topics.gatewayInfo, GatewayInfoDocument(info, gateway: gateway))]
    case .health(let time, let metrics, let storage):
      [retained(topics.gatewayHealth, HealthDocument(metrics, at: time, storage: storage, gateway: gateway))]
    case .alarms(let report): [retained(topics.gatewayAlarms, AlarmsDocument(report, gateway: gateway))]
    case .rollout(let report):
      [retained(topics.rollout(report.id), RolloutDocument(report, gateway: gateway))]
    case .rolloutForgotten(let id): [cleared(topics.rollout(id))]
    case .adapter(let time, let report):
      [retained(topics.adapter(report.id), AdapterDocument(report, at: time, gateway: gateway))]
    case .adapterForgotten(let adapter): [cleared(topics.adapter(adapter))]
    case .happened(let event): [message(for: event)]
    case .reply(let reply): replies(reply)
    case .stream: []
    }
  }

  /// In every encoding that is in effect. The first one counts the samples: they are published once.
  private func messages(for batch: SampleBatch) -> [OutgoingMessage] {
    encodings.current.enumerated().map { index, encoding in
      let (lane, payload, contentType) = written(batch, as: encoding)
      var message = MQTTMessage(topic: topics.board(batch.board, lane, batch.stream), payload: payload)
      message.properties.contentType = contentType
      // What was logged is nowhere else any more once the board is cleared.
      return OutgoingMessage(
        message, batch.origin == .flash ? .event : .record, samples: index == 0 ? batch.count : 0)
    }
  }

  private func written(
    _ batch: SampleBatch, as encoding: SampleEncoding
  ) -> (lane: TopicTree.Lane, payload: [UInt8], contentType: String?) {
    switch encoding {
    case .json: (batch.origin == .flash ? .log : .record, SampleCodec.record(batch, gateway: gateway), nil)
    case .lineProtocol: (.lp, LineProtocol.lines(batch, gateway: gateway), nil)
    case .cbor: (.cbor, SampleCodec.cbor(batch, gateway: gateway), "application/cbor")
    }
  }

  /// The one place where events become messages: each is kept in the history with what is published of it.
  private func message(for event: EventMessage) -> OutgoingMessage {
    var outgoing = nonRetained(
      topics.event(event.kind, of: event.subject), EventDocument(event, gateway: gateway), .event)
    outgoing.history = HistoryEntry(event, document: outgoing.message.payload)
    return outgoing
  }

  /// What a packet needs beside topic and payload, at most.
  private static let packetOverhead = 64

  package func shortened(_ message: OutgoingMessage, to size: Int) -> OutgoingMessage? {
    guard case .document(_, .info) = topics.parse(message.message.topic) else { return nil }
    let room = size - message.message.topic.utf8.count - Self.packetOverhead
    guard message.message.payload.count > room,
      let payload = ShortenedInfo.payload(of: message.message.payload, in: room)
    else { return nil }
    var short = message
    short.message.payload = payload
    return short
  }

  package func history(of reply: CommandReply) -> HistoryEntry? {
    HistoryEntry(endOf: reply, gateway: gateway)
  }

  /// On the verb's reply topic, and on the requester's own if it named one.
  private func replies(_ reply: CommandReply) -> [OutgoingMessage] {
    let document = ReplyDocument(reply, gateway: gateway)
    var messages = [nonRetained(topics.reply(to: reply.target, reply.verb), document, .state)]
    // Nobody borrows our rights: an answer never goes where gateways speak or are commanded (fault F85).
    if let topic = reply.replyTo.responseTopic, !topics.isOurs(topic), responseTopics.permits(topic) {
      var own = nonRetained(topic, document, .state)
      own.message.properties.correlationData = reply.replyTo.correlationData
      messages.append(own)
    }
    return messages
  }

  package func read(_ message: MQTTMessage, arrived: Timestamp, freshID: () -> String) -> IncomingMessage {
    switch topics.parse(message.topic) {
    case .command(let target, let verb):
      return .command(
        target, verb: verb,
        CommandParsing.parse(message, target: target, verb: verb, arrived: arrived, freshID: freshID))
    case .belowCommand(let target, let verb):
      return .command(target, verb: verb, CommandParsing.refuseBelow(message, verb: verb, freshID: freshID))
    case .document(let board, _):
      return .boardDocument(
        board, topic: message.topic, payload: message.payload, isRetained: message.isRetained)
    case .ownAvailability:
      let document = (try? StrictJSON.parse(message.payload).object).map(GatewayAvailabilityDocument.init)
      return .ownAvailability(isOnline: document?[.state] == .online, birth: document?[.birth])
    case .availability(let gateway): return .otherGateway(gateway)
    case nil: return .unknown
    }
  }

  package func source(of topic: String) -> (board: BoardID, stream: String)? { topics.source(of: topic) }

  package func origin(of topic: String) -> (lane: ReplayRequest.Lane, board: BoardID?)? {
    topics.origin(of: topic)
  }

  private func retained(_ topic: String, _ document: some TypedDocument) -> OutgoingMessage {
    var message = MQTTMessage(topic: topic, payload: JSONWriter.render(document.json), isRetained: true)
    message.properties.contentType = contentType
    return OutgoingMessage(message, .state)
  }

  private func nonRetained(_ topic: String, _ document: some TypedDocument, _ deliveryClass: DeliveryClass)
    -> OutgoingMessage
  {
    var message = MQTTMessage(topic: topic, payload: JSONWriter.render(document.json))
    message.properties.contentType = contentType
    return OutgoingMessage(message, deliveryClass)
  }

  private func cleared(_ topic: String) -> OutgoingMessage {
    OutgoingMessage(MQTTMessage(topic: topic, payload: [], isRetained: true), .state)
  }
}
