import FleetModel

/// The beat of all sessions of a radio, on the thread that reads their packets. With one each, that thread would be
/// woken hundreds of times a second and never rest to collect packets.
actor Heartbeat {
  /// How often time-outs, batches and polls are looked after.
  static let period = Duration.milliseconds(100)

  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let timekeeper: any Timekeeper
  private let pause: @Sendable (Duration) async throws(CancellationError) -> Void
  private let deliver: @Sendable ([FleetEvent]) async -> Void
  private var sessions: [BoardSession] = []
  private let joined = Alarm()

  /// `executor` is that of the sessions; `pause` waits for about a period; `deliver` tells the uplinks and never waits
  /// for a network or a disk.
  init(
    on executor: any SerialExecutor, timekeeper: any Timekeeper,
    pause: @escaping @Sendable (Duration) async throws(CancellationError) -> Void,
    deliver: @escaping @Sendable ([FleetEvent]) async -> Void
  ) {
    self.executor = executor
    self.timekeeper = timekeeper
    self.pause = pause
    self.deliver = deliver
  }

  /// Beats until cancelled, and rests while there is nobody to beat for.
  func run() async {
    while !Task.isCancelled {
      guard !sessions.isEmpty else {
        await joined.sleep(atMost: nil, by: timekeeper)
        continue
      }
      do { try await pause(Self.period) } catch { return }
      let events = beat()
      if !events.isEmpty { await deliver(events) }
    }
  }

  private func beat() -> [FleetEvent] {
    sessions.flatMap { session in session.assumeIsolated { $0.beat() } }
  }

  /// The session is looked after from now on.
  func join(_ session: BoardSession) {
    sessions.append(session)
    joined.ring()
  }

  /// The session is over.
  func leave(_ session: BoardSession) { sessions.removeAll { $0 === session } }
}
