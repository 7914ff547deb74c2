package import Dialects
package import FleetModel
package import EventLoops

/// An MQTT broker through libmosquitto, which is called on one loop only and starts no thread of its own.
///
/// Every `connect` makes a new client, since the library's own reconnecting keeps messages of the last connection,
/// and gives up for good after some ordinary failures (fault F61). The name is looked up and the connection opened
/// on a short-lived thread that owns the new client until then: both may block for minutes, and an attempt that is
/// out of time is left to itself. To be disconnected before it is dropped.
package actor MosquittoBroker: Broker {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private enum State {
    case idle
    /// The thread is at it.
    case dialling(ConnectAttempt)
    /// The request is out, the broker has not answered.
    case greeting(ConnectAttempt, BrokerSession)
    /// It has failed, and a handshake of our own may say more of why.
    case examining(ConnectAttempt, BrokerFailure)
    case connected(BrokerSession)
  }

  private let loop: EventLoop
  private var configuration: MosquittoConfiguration
  private let password: PasswordReader?
  private var state = State.idle
  /// Counts connections, so that what was meant for an earlier one is known.
  private var generation = 0
  /// Open to its consumer, who takes what is there without a hop: under load that is most of what an acknowledgement
  /// costs.
  private nonisolated let queue = Guarded(EventQueue())
  private var consumer: CheckedContinuation<BrokerEvent?, Never>?
  /// Told together at the end of a turn: waking the consumer costs more than an acknowledgement.
  private var answers: [Acknowledgement] = []

  /// Reads the password that counts by now, for each connection; called on a thread that may wait for a disk.
  package typealias PasswordReader = @Sendable () throws(BrokerFailure) -> [UInt8]?

  /// Without `password` the one of the configuration counts.
  package init(
    _ configuration: MosquittoConfiguration, password: PasswordReader? = nil, on loop: EventLoop
  ) {
    self.configuration = configuration
    self.password = password
    self.loop = loop
  }

  /// What counts from the next connection on.
  package func use(_ configuration: MosquittoConfiguration) { self.configuration = configuration }
}

// Connecting.
extension MosquittoBroker {
  package func connect(
    will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
  ) async throws(BrokerFailure) -> BrokerConnection {
    end(because: .replaced)
    generation += 1
    let number = generation
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let deadline = schedule(after: configuration.connectTimeout, for: number) {
          $0.end(
            because: .unreachable(
              "no answer from \($0.configuration.host) within \(DurationText.rounded($0.configuration.connectTimeout))"
            ))
        }
        state = .dialling(ConnectAttempt(continuation: continuation, deadline: deadline))
        dial(will, protocolVersion, number)
      }
    } onCancel: {
      loop.execute { self.assumeIsolated { $0.giveUp(number) } }
    }
    return try result.get()
  }

  /// A loop that stops at once is a thread with one errand.
  private func dial(
    _ will: MQTTMessage?, _ protocolVersion: BrokerConnection.ProtocolVersion, _ number: Int
  ) {
    do {
      let errand = try EventLoop(name: "broker-dial")
      errand.execute { [configuration, password, loop] in
        let result = Result { () throws(BrokerFailure) in
          var configuration = configuration
          if let password { configuration.password = try password() }
          return try MosquittoClient(dialling: configuration, will: will, protocolVersion: protocolVersion)
        }
        // Unsafe only in name: the errand ends here, and the loop alone has the client from now on.
        nonisolated(unsafe) let dialled = result
        loop.execute { self.assumeIsolated { $0.take(dialled, number) } }
        errand.stop()
      }
    } catch {
      end(because: .unreachable(error.description))
    }
  }

  /// A thread with one errand again: a handshake may block like a connection.
  private func examine(_ attempt: ConnectAttempt, _ failure: BrokerFailure) {
    guard failure.mayBeExplained(withTLS: configuration.tls != nil),
      let errand = try? EventLoop(name: "broker-examine")
    else { return attempt.finish(.failure(failure)) }
    state = .examining(attempt, failure)
    let number = generation
    errand.execute { [configuration, loop] in
      let report = HandshakeProbe.run(configuration, within: BrokerLimits.examination)
      let explained = report.sentence(configuration).map { BrokerFailure.insecure($0) }
      loop.execute { self.assumeIsolated { $0.finish(with: explained, number) } }
      errand.stop()
    }
  }

  private func finish(with explained: BrokerFailure?, _ number: Int) {
    guard number == generation, case .examining(let attempt, let failure) = state else { return }
    state = .idle
    attempt.finish(.failure(explained ?? failure))
  }

  private func take(_ dialled: Result<MosquittoClient, BrokerFailure>, _ number: Int) {
    guard number == generation, case .dialling(let attempt) = state else { return }
    do throws(BrokerFailure) {
      let pump = try ClientPump(
        dialled.get(), on: loop,
        onReady: { readiness in self.assumeIsolated { $0.turn(number) { $0.pump.handle(readiness) } } },
        onTick: { self.assumeIsolated { $0.tick(number) } })
      state = .greeting(attempt, BrokerSession(pump))
      turn(number) { _ in 0 }
    } catch {
      end(because: error)
    }
  }

  private func giveUp(_ number: Int) {
    guard number == generation else { return }
    switch state {
    case .dialling, .greeting, .examining: end(because: .unreachable("the attempt was given up"))
    case .idle, .connected: break
    }
  }
}

// Using the connection.
extension MosquittoBroker {
  package func subscribe(to subscriptions: [Subscription]) async throws(BrokerFailure) {
    let number = generation
    for subscription in subscriptions {
      try await ask(number) { client throws(BrokerFailure) in try client.subscribe(to: subscription) }
    }
  }

  package func unsubscribe(from filters: [String]) async throws(BrokerFailure) {
    let number = generation
    for filter in filters {
      try await ask(number) { client throws(BrokerFailure) in try client.unsubscribe(from: filter) }
    }
  }

  private func ask(
    _ number: Int, _ send: (MosquittoClient) throws(BrokerFailure) -> Int32
  ) async throws(BrokerFailure) {
    guard number == generation, case .connected(let session) = state, !session.isClosing else {
      throw .connectionLost("not connected")
    }
    let id = try send(session.client)
    session.outstanding.passOver()
    let failure = await withCheckedContinuation { continuation in
      let deadline = schedule(after: configuration.connectTimeout, for: number) {
        $0.end(because: .connectionLost("no answer to a subscription"))
      }
      session.replies[id] = .init(continuation: continuation, deadline: deadline)
      turn(number) { _ in 0 }
    }
    if let failure { throw failure }
  }

  package func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) async {
    guard case .connected(let session) = state, !session.isClosing else {
      answers += messages.map { Acknowledgement(token: $0.token, failure: .connectionLost("not connected")) }
      return resumeReplies()
    }
    session.client.together {
      for (message, token) in messages {
        if let failure = session.publish(message, token: token) {
          answers.append(Acknowledgement(token: token, failure: failure))
        }
      }
    }
    turn(generation) { _ in 0 }
    if session.outstanding.isOverdue, isCurrent(session) {
      end(because: .connectionLost("the broker sent no acknowledgements"))
    }
  }

  package func disconnect(within limit: Duration) async {
    guard case .connected(let session) = state else {
      return end(because: .unreachable("the attempt was given up"))
    }
    let number = generation
    await withCheckedContinuation { continuation in
      session.disconnectWaiters.append(continuation)
      schedule(after: limit, for: number) { broker in
        broker.turn(number) {
          if !$0.hasSentDisconnect { $0.sendDisconnect() }
          return 0
        }
        broker.end(because: .closedOnRequest)
      }
      turn(number) { _ in 0 }
    }
  }
}

// Keeping it going.
extension MosquittoBroker {
  /// Whatever is done with the client goes through here: then its callbacks' tidings are handled, its end is
  /// noticed, and its socket is watched for what it wants next.
  private func turn(_ number: Int, _ work: (BrokerSession) -> Int32) {
    guard number == generation, let session else { return }
    let code = work(session)
    for event in session.client.inbox.takeAll() where isCurrent(session) { handle(event, session) }
    guard isCurrent(session) else { return }
    session.continueDisconnect()
    for event in session.client.inbox.takeAll() where isCurrent(session) { handle(event, session) }
    guard isCurrent(session) else { return }
    resumeReplies()
    if code != 0 {
      // Without a callback: the library does that when TLS fails.
      end(because: BrokerFailure(libraryCode: code, number: 0, detail: session.client.inbox.lastError))
    } else if session.client.socket < 0 {
      end(because: .closedByBroker)
    } else {
      session.pump.setInterest(isReading: queue.withLock { $0.hasRoom })
    }
  }

  private func tick(_ number: Int) {
    let isReading = queue.withLock { $0.hasRoom }
    turn(number) { $0.tick(isReading: isReading) }
    if let session, number == generation, session.isDeaf {
      end(because: .connectionLost("the broker takes messages and acknowledges none"))
    }
  }

  private func handle(_ event: ClientEvent, _ session: BrokerSession) {
    switch event {
    case .accepted(let isSessionPresent, let receiveMaximum, let maximumPacketSize):
      guard case .greeting(let attempt, _) = state else { return }
      var connection = BrokerConnection(
        protocolVersion: session.client.protocolVersion, isSessionPresent: isSessionPresent,
        receiveMaximum: Int(receiveMaximum ?? .max), maximumPacketSize: maximumPacketSize.map { Int($0) })
      connection.certificateExpires = session.client.peerCertificateExpires
      session.connection = connection
      state = .connected(session)
      attempt.finish(.success(connection))
    case .refused(let code):
      end(because: BrokerFailure(connectCode: code) ?? .connectionLost("refused"))
    case .published(let id, let code):
      guard let token = session.outstanding.remove(id) else { return }
      session.acknowledgements.acknowledged()
      answers.append(Acknowledgement(token: token, failure: BrokerFailure(acknowledgementCode: code)))
    case .received(let message):
      emit(.message(message))
    case .subscribed(let id, let codes):
      reply(id, codes.lazy.compactMap { BrokerFailure(acknowledgementCode: $0) }.first, session)
    case .unsubscribed(let id):
      reply(id, nil, session)
    case .disconnected(let code, let number):
      end(
        because: session.hasSentDisconnect
          ? .closedOnRequest : BrokerFailure(disconnectCode: code, number: number))
    }
  }

  private func reply(_ id: Int32, _ failure: BrokerFailure?, _ session: BrokerSession) {
    guard let reply = session.replies.removeValue(forKey: id) else { return }
    reply.deadline.cancel()
    reply.continuation.resume(returning: failure)
  }

  /// Ends the connection or the attempt, if there is one, and tells everybody who waits for something of it.
  private func end(because failure: BrokerFailure) {
    let ended = state
    state = .idle
    switch ended {
    case .idle: break
    case .dialling(let attempt): examine(attempt, failure)
    case .greeting(let attempt, let session):
      session.pump.stop()
      examine(attempt, failure)
    case .examining(let attempt, let first): attempt.finish(.failure(first))
    case .connected(let session):
      session.pump.stop()
      for id in session.replies.keys.sorted() { reply(id, failure, session) }
      answers += session.outstanding.removeAll().map { Acknowledgement(token: $0, failure: failure) }
      resumeReplies()
      emit(.disconnected(failure))
      for waiter in session.disconnectWaiters { waiter.resume() }
    }
  }

  private var session: BrokerSession? {
    switch state {
    case .greeting(_, let session), .connected(let session): session
    case .idle, .dialling, .examining: nil
    }
  }

  private func isCurrent(_ session: BrokerSession) -> Bool { self.session === session }

  @discardableResult
  private func schedule(
    after delay: Duration, for number: Int, _ work: @escaping @Sendable (isolated MosquittoBroker) -> Void
  ) -> LoopTimer {
    loop.schedule(after: delay) {
      self.assumeIsolated { if $0.generation == number { work($0) } }
    }
  }
}

// Handing events out.
extension MosquittoBroker {
  /// Pulled one by one: nothing is kept between here and the consumer, whose pace reaches the socket.
  package nonisolated var events: AsyncStream<BrokerEvent> {
    AsyncStream {
      if let event = self.takeWhatIsThere() { return event }
      return await self.nextEvent()
    } onCancel: {
      self.loop.execute { self.assumeIsolated { $0.dismissConsumer() } }
    }
  }

  private nonisolated func takeWhatIsThere() -> BrokerEvent? {
    if Task.isCancelled { return nil }
    let (event, hasRoomAgain) = queue.withLock { queue in
      let hadRoom = queue.hasRoom
      return (queue.pop(), !hadRoom && queue.hasRoom)
    }
    if hasRoomAgain {
      loop.execute { self.assumeIsolated { $0.session?.pump.setInterest(isReading: true) } }
    }
    return event
  }

  func nextEvent() async -> BrokerEvent? {
    if Task.isCancelled { return nil }
    if let event = takeWhatIsThere() { return event }
    dismissConsumer()
    return await withCheckedContinuation { consumer = $0 }
  }

  private func dismissConsumer() {
    consumer?.resume(returning: nil)
    consumer = nil
  }

  private func resumeReplies() {
    guard !answers.isEmpty else { return }
    emit(.acknowledged(answers))
    answers.removeAll(keepingCapacity: true)
  }

  private func emit(_ event: BrokerEvent) {
    if let waiting = consumer {
      consumer = nil
      waiting.resume(returning: event)
    } else {
      queue.withLock { $0.append(event) }
    }
  }
}
