public import FleetModel

/// Asking and telling on one link: matches answers to the questions that wait for them.
///
/// Confined to its session, which offers it every packet first and tells it about time and the end of the link.
public final class Conversation {
  private let link: any BoardLink
  private let timekeeper: any Timekeeper
  private var requests = RequestTable()
  private var waiting: [RequestTable.Ticket: CheckedContinuation<Result<[UInt8], ProtocolFailure>, Never>] =
    [:]
  private var hasMetSilence = false
  private var hasProgress = false
  private var progressTicket: RequestTable.Ticket?
  /// Whether the thread that reads packets was held up since a time, by uptime: what came meanwhile may have been
  /// dropped. For the session to set.
  public var wasStalled: (Duration) -> Bool = { _ in false }
  /// Whether the driver has the board end the link: such an end is no loss. For the driver to set.
  public var isLeaving = false
  /// Why the link has ended; nil while it is up.
  public private(set) var ending: LinkFailure?

  /// Talks over `link`.
  public init(link: any BoardLink, timekeeper: any Timekeeper) {
    self.link = link
    self.timekeeper = timekeeper
  }

  /// Host time, for drivers that stamp what they read.
  public var now: Timestamp { timekeeper.now }

  /// Waits, for boards that need a pause.
  public func pause(for duration: Duration) async throws(ProtocolFailure) {
    do {
      try await timekeeper.sleep(for: duration)
    } catch {
      throw .linkEnded(ending ?? LinkFailure(.closed, "the session was stopped"))
    }
  }

  /// Writes `value` and waits for the packet that `pattern` describes.
  public func ask(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind = .command,
    answer pattern: AnswerPattern, within limit: Duration = .seconds(5)
  ) async throws(ProtocolFailure) -> [UInt8] {
    try await ask(each: [value], to: characteristic, as: kind, answer: pattern, within: limit)
  }

  /// Writes all `values` and waits for the one packet that `pattern` describes, whichever of them it answers.
  public func ask(
    each values: [[UInt8]], to characteristic: Characteristic, as kind: WriteKind = .command,
    answer pattern: AnswerPattern, within limit: Duration = .seconds(5)
  ) async throws(ProtocolFailure) -> [UInt8] {
    if let ending { throw .linkEnded(ending) }
    let ticket = requests.add(pattern, at: timekeeper.uptime, limit: limit)
    do {
      for value in values { try await link.write(value, to: characteristic, as: kind) }
    } catch {
      requests.remove(ticket)
      throw .linkEnded(error)
    }
    // The answer may have come while the write was under way.
    if let early = requests.takeAnswer(ticket) { return early }
    if let ending {
      requests.remove(ticket)
      throw .linkEnded(ending)
    }
    guard requests.contains(ticket) else { throw .silent(question: pattern.question, after: limit) }
    return try await withCheckedContinuation { waiting[ticket] = $0 }.get()
  }

  /// Writes all `values` and waits for up to `count` packets that `pattern` describes; those that came in time.
  public func gather(
    _ count: Int, sending values: [(value: [UInt8], kind: WriteKind)], to characteristic: Characteristic,
    answer pattern: AnswerPattern, within limit: Duration
  ) async throws(ProtocolFailure) -> [[UInt8]] {
    if let ending { throw .linkEnded(ending) }
    // As many questions as packets: each takes one, the oldest first.
    let tickets = (0..<count).map { _ in requests.add(pattern, at: timekeeper.uptime, limit: limit) }
    defer { for ticket in tickets { requests.remove(ticket) } }
    do {
      for (value, kind) in values { try await link.write(value, to: characteristic, as: kind) }
    } catch {
      throw .linkEnded(error)
    }
    var answers: [[UInt8]] = []
    for ticket in tickets {
      if let early = requests.takeAnswer(ticket) {
        answers.append(early)
        continue
      }
      if let ending { throw .linkEnded(ending) }
      guard requests.contains(ticket) else { return answers }
      switch await withCheckedContinuation({ waiting[ticket] = $0 }) {
      case .success(let answer): answers.append(answer)
      case .failure(.silent): return answers
      case .failure(let failure): throw failure
      }
    }
    return answers
  }

  /// Writes `value`; done when the system took it.
  public func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind = .command
  ) async throws(ProtocolFailure) {
    if let ending { throw .linkEnded(ending) }
    do { try await link.write(value, to: characteristic, as: kind) } catch { throw .linkEnded(error) }
  }

  /// Reads a characteristic.
  public func read(_ characteristic: Characteristic) async throws(ProtocolFailure) -> [UInt8] {
    if let ending { throw .linkEnded(ending) }
    do { return try await link.read(characteristic) } catch { throw .linkEnded(error) }
  }

  /// Reads several characteristics at once: the time of one, as far as the radio allows. The values in the same order.
  public func read(_ characteristics: [Characteristic]) async throws(ProtocolFailure) -> [[UInt8]] {
    if let ending { throw .linkEnded(ending) }
    let link = link
    let results = await withTaskGroup(of: (Int, Result<[UInt8], LinkFailure>).self) { group in
      for (place, characteristic) in characteristics.enumerated() {
        group.addTask {
          // Not returned from inside the `do`: Swift 6.3 then loses the place, in release builds only.
          let result: Result<[UInt8], LinkFailure>
          do throws(LinkFailure) { result = .success(try await link.read(characteristic)) } catch {
            result = .failure(error)
          }
          return (place, result)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var values: [[UInt8]] = []
    for place in characteristics.indices {
      switch results[place] {
      case .success(let value): values.append(value)
      case .failure(let failure): throw .linkEnded(failure)
      case nil: throw .linkEnded(LinkFailure(.closed, "the session was stopped"))
      }
    }
    return values
  }

  /// Waits until the link has ended, at most `limit`; for commands whose only answer is that. Returns whether it did.
  public func linkEnds(within limit: Duration) async -> Bool {
    if ending != nil { return true }
    let ticket = requests.add(.linkEnd, at: timekeeper.uptime, limit: limit)
    let result = await withCheckedContinuation { waiting[ticket] = $0 }
    if case .failure(.linkEnded) = result { return true }
    return false
  }

  /// Time since some moment, for drivers that measure silence; unlike `now` it never steps.
  public var uptime: Duration { timekeeper.uptime }

  /// Waits until `signalProgress`, at most `limit`: for drivers that take packets in `decode` and act on them
  /// elsewhere. Progress before that is not waited for. Throws when the link has ended. One may wait at a time.
  public func awaitProgress(within limit: Duration) async throws(ProtocolFailure) {
    if let ending { throw .linkEnded(ending) }
    guard !hasProgress else {
      hasProgress = false
      return
    }
    let ticket = requests.add(.progress, at: timekeeper.uptime, limit: limit)
    progressTicket = ticket
    let result = await withCheckedContinuation { waiting[ticket] = $0 }
    progressTicket = nil
    hasProgress = false
    if case .failure(.linkEnded(let ending)) = result { throw .linkEnded(ending) }
  }

  /// There is something to act on. Cheap where nobody waits.
  public func signalProgress() {
    hasProgress = true
    guard let ticket = progressTicket, let continuation = waiting.removeValue(forKey: ticket) else { return }
    requests.remove(ticket)
    continuation.resume(returning: .success([]))
  }

  /// For the session: gives a packet to whoever waits for it. Returns false when nobody does.
  public func offer(_ packet: RawSpan) -> Bool {
    guard !requests.isEmpty else { return false }
    guard let (ticket, answer) = requests.match(packet) else { return false }
    if let continuation = waiting.removeValue(forKey: ticket) {
      requests.remove(ticket)
      continuation.resume(returning: .success(answer))
    }
    return true
  }

  /// For the session: gives up on questions whose time has passed. Call a few times a second.
  public func expire(at uptime: Duration) {
    guard !requests.isEmpty else { return }
    for expired in requests.expire(at: uptime) {
      if !expired.pattern.prefixes.isEmpty { hasMetSilence = true }
      waiting.removeValue(forKey: expired.ticket)?
        .resume(returning: .failure(.silent(question: expired.pattern.question, after: expired.limit)))
    }
  }

  /// For the session: whether a question ran out of time since this was last asked.
  public func takeSilence() -> Bool {
    defer { hasMetSilence = false }
    return hasMetSilence
  }

  /// For the session: the link has ended; everybody who waits learns why.
  public func end(because failure: LinkFailure) {
    guard ending == nil else { return }
    ending = failure
    let all = waiting
    waiting.removeAll()
    for (_, continuation) in all.sorted(by: { $0.key.number < $1.key.number }) {
      continuation.resume(returning: .failure(.linkEnded(failure)))
    }
  }
}
