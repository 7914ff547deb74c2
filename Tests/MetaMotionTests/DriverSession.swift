import BoardKit
import FleetModel
import Support

@testable import MetaMotion

/// A session as the driver knows it, around a scripted link: packets go to the conversation first, then to `decode`.
actor DriverSession {
  nonisolated let link: ScriptedLink
  nonisolated let clock: ManualClock
  nonisolated var unownedExecutor: UnownedSerialExecutor { link.unownedExecutor }

  private let conversation: Conversation
  /// Whether the end of the link is what the driver wanted.
  var isLeaving: Bool { conversation.isLeaving }
  private let driver: any BoardDriver
  /// What was decoded, packet by packet.
  private(set) var verdicts: [PacketVerdict] = []
  private(set) var decoded = DecodedPackets()

  init(_ board: TestBoard) async {
    let clock = ManualClock()
    let family = MetaMotionFamily.descriptor
    let link = ScriptedLink(notifications: family.notifications[0], timekeeper: clock)
    self.clock = clock
    self.link = link
    conversation = Conversation(link: link, timekeeper: clock)
    driver = family.makeDriver(conversation)
    for (characteristic, value) in board.deviceInformation { await link.set(value, for: characteristic) }
    await link.open(
      received: { [weak self] characteristic, packet, time in
        let bytes = packet.withUnsafeBytes { Array($0) }
        self?.assumeIsolated { $0.receive(bytes, from: characteristic, at: time) }
      },
      ended: { [weak self] failure in self?.assumeIsolated { $0.conversation.end(because: failure) } })
  }

  private func receive(_ packet: [UInt8], from characteristic: Characteristic, at time: Timestamp) {
    if conversation.offer(packet.span.bytes) { return }
    verdicts.append(driver.decode(packet.span.bytes, from: characteristic, at: time, into: &decoded))
  }

  /// A session whose board has been interviewed, by memory.
  static func interviewed(_ board: TestBoard) async throws -> DriverSession {
    let session = await DriverSession(board)
    async let interview = session.interview(remembering: board.memory)
    try await session.link.expect([0x0B, 0x84], answer: board.clock)
    _ = try await interview.get()
    await session.recall(program: [])
    return session
  }

  func interview(remembering memory: [UInt8]?) async -> Result<Interview, ProtocolFailure> {
    await unlessCancelled {
      do throws(ProtocolFailure) {
        return .success(try await driver.interview(remembering: memory))
      } catch {
        return .failure(error)
      }
    }
  }

  func apply(
    _ streams: [StreamKey: StreamRequest], button: Bool = false
  ) async -> Result<StreamsApplied, ProtocolFailure> {
    await unlessCancelled {
      do throws(ProtocolFailure) {
        return .success(try await driver.apply(streams, button: button))
      } catch {
        return .failure(error)
      }
    }
  }

  func apply(_ program: BoardProgram) async -> Result<ProgramApplied, ProtocolFailure> {
    await unlessCancelled {
      do throws(ProtocolFailure) { return .success(try await driver.apply(program)) } catch {
        return .failure(error)
      }
    }
  }

  func apply(
    _ settings: JSONObject, trusting trusted: Set<String> = [], usesConservativeParameters: Bool = false
  ) async throws -> Result<SettingsApplied, ProtocolFailure> {
    var declaration = SettingsDeclaration()
    for (key, value) in settings.members { try declaration.declare(key, value) }
    let wanted = declaration
    return await unlessCancelled {
      do throws(ProtocolFailure) {
        return .success(
          try await driver.apply(
            wanted, trusting: trusted, usesConservativeParameters: usesConservativeParameters))
      } catch {
        return .failure(error)
      }
    }
  }

  func survey() async -> SlotUsage? {
    await unlessCancelled { try? await driver.survey() }
  }

  var programMemory: [UInt8] { driver.programMemory }

  var ownSlots: [String: Int] { driver.ownSlots }

  func recall(_ streams: [StreamRequest]) { driver.recall(streams: streams) }

  func conflicts(_ streams: [StreamKey: StreamRequest]) async -> [String]? {
    try? await driver.conflicts(streams, button: false)
  }

  func recall(program memory: [UInt8], isReset: Bool = false) {
    driver.recall(program: memory, isReset: isReset)
  }

  /// Our reader is never in time from now on.
  func holdUp() { conversation.wasStalled = { _ in true } }

  /// Asks something of the board's log.
  func log<Value: Sendable>(
    _ body: sending (any LogSource) async throws(ProtocolFailure) -> Value
  ) async -> Result<Value, ProtocolFailure> {
    await unlessCancelled {
      do throws(ProtocolFailure) {
        guard let log = driver.logs else { throw .unexpected("the board has no log") }
        let value = try await body(log)
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
  }

  func readOut(
    _ count: Int, mayErase: Bool = true, keep: @Sendable (LogPage) async -> Bool
  ) async -> Result<LogReadOutResult, ProtocolFailure> {
    await unlessCancelled {
      do throws(ProtocolFailure) {
        guard let log = driver.logs else { throw .unexpected("the board has no log") }
        let readOut = try await log.readOut(count, mayErase: mayErase, keep: keep)
        return .success(readOut)
      } catch {
        return .failure(error)
      }
    }
  }

  func checkLiveness() async -> Result<Void, ProtocolFailure> {
    await unlessCancelled {
      do throws(ProtocolFailure) { return .success(try await driver.checkLiveness()) } catch {
        return .failure(error)
      }
    }
  }

  func requestConservativeParameters() async { _ = try? await driver.requestConservativeParameters() }

  func invalidateCachedState() { driver.invalidateCachedState() }

  var hasStaleSubscriptions: Bool { driver.hasStaleSubscriptions }

  func endStaleSubscriptions() async { _ = try? await driver.endStaleSubscriptions() }

  func read(_ name: String, _ configuration: JSONObject = [:]) async -> Result<[Double], CommandFailure> {
    await unlessCancelled {
      do throws(CommandFailure) {
        return .success(try await driver.read(StreamRequest(name: name, configuration: configuration)))
      } catch {
        return .failure(error)
      }
    }
  }

  func perform(_ intent: DeviceIntent) async -> CommandOutcome {
    await unlessCancelled { await driver.perform(intent) }
  }

  func perform(read what: String, _ selectors: JSONObject = [:]) async -> CommandOutcome {
    await perform(.read(ReadRequest(what: what, selectors: selectors)))
  }

  /// Runs `body`; a test that is given up ends the link, so that nobody waits for an answer that never comes.
  private func unlessCancelled<Value>(_ body: () async -> Value) async -> Value {
    await withTaskCancellationHandler(operation: body) {
      Task { await link.end(because: LinkFailure(.closed, "the test was cancelled")) }
    }
  }

  /// Lets time pass, as a session's timer would notice.
  func advance(by duration: Duration) {
    clock.advance(by: duration)
    conversation.expire(at: conversation.uptime)
  }

  /// Lets time pass in small steps until the driver writes something.
  func passUntilWritten() async {
    let before = await link.written.count
    while await link.written.count == before, !Task.isCancelled {
      advance(by: .milliseconds(100))
      await Task.yield()
    }
  }

  func forgetDecoded() {
    verdicts.removeAll()
    decoded.removeAll()
  }
}

extension Result {
  /// Why it failed; nil when it did not.
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
