import BoardKit
import FleetModel
import Support

/// The least a session does for its conversation: hands over packets, time and the end.
actor TalkingSession {
  static let characteristic = Characteristic(
    service: AttributeUUID(assigned: 0x180F), uuid: AttributeUUID(assigned: 0x2A19))

  nonisolated let link: ScriptedLink
  nonisolated let clock: ManualClock
  nonisolated var unownedExecutor: UnownedSerialExecutor { link.unownedExecutor }

  private let conversation: Conversation
  /// Packets nobody waited for.
  private(set) var unclaimed: [[UInt8]] = []

  init() async {
    let clock = ManualClock()
    let link = ScriptedLink(notifications: Self.characteristic, timekeeper: clock)
    self.clock = clock
    self.link = link
    conversation = Conversation(link: link, timekeeper: clock)
    await link.open(
      received: { [weak self] _, packet, _ in
        let bytes = packet.withUnsafeBytes { Array($0) }
        self?.assumeIsolated { $0.receive(bytes) }
      },
      ended: { [weak self] failure in self?.assumeIsolated { $0.conversation.end(because: failure) } })
  }

  private func receive(_ packet: [UInt8]) {
    if !conversation.offer(packet.span.bytes) { unclaimed.append(packet) }
  }

  func ask(
    _ value: [UInt8], answer prefix: [UInt8], within limit: Duration = .seconds(5)
  ) async -> Result<[UInt8], ProtocolFailure> {
    await unlessCancelled {
      do throws(ProtocolFailure) {
        return .success(
          try await conversation.ask(
            value, to: Self.characteristic, answer: AnswerPattern([prefix], "it"), within: limit))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Runs `body`; a test that is given up ends the link, so that nobody waits for an answer that never comes.
  private func unlessCancelled<Value>(_ body: () async -> Value) async -> Value {
    await withTaskCancellationHandler(operation: body) {
      Task { await link.end(because: LinkFailure(.closed, "the test was cancelled")) }
    }
  }

  func write(_ value: [UInt8], as kind: WriteKind) async -> ProtocolFailure? {
    do {
      try await conversation.write(value, to: Self.characteristic, as: kind)
      return nil
    } catch {
      return error
    }
  }

  func pause(for duration: Duration) async -> ProtocolFailure? {
    do {
      try await conversation.pause(for: duration)
      return nil
    } catch {
      return error
    }
  }

  /// Writes `value` and waits for the end; whoever sees the write knows that the wait begins before anything else.
  func leave(_ value: [UInt8], within limit: Duration) async -> Bool {
    _ = await write(value, as: .command)
    return await unlessCancelled { await conversation.linkEnds(within: limit) }
  }

  /// Writes `value` and waits for progress; whoever sees the write knows that the wait begins before anything else.
  func awaitProgress(behind value: [UInt8], within limit: Duration) async -> ProtocolFailure? {
    _ = await write(value, as: .command)
    return await unlessCancelled {
      do throws(ProtocolFailure) {
        try await conversation.awaitProgress(within: limit)
        return nil
      } catch {
        return error
      }
    }
  }

  func signalProgress() { conversation.signalProgress() }

  func takeSilence() -> Bool { conversation.takeSilence() }

  var ending: LinkFailure? { conversation.ending }

  /// Lets time pass, as the session's own timer would notice.
  func advance(by duration: Duration) {
    clock.advance(by: duration)
    conversation.expire(at: conversation.uptime)
  }
}
