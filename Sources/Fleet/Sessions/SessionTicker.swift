import BoardKit
import FleetModel

/// The tick of all sessions of a radio, on the thread that reads their packets. With one each, that thread would be
/// woken hundreds of times a second and never pause to collect packets.
actor SessionTicker {
  /// How often time-outs, batches and polls are looked after.
  static let period = Duration.milliseconds(100)

  nonisolated var unownedExecutor: UnownedSerialExecutor { radio.executor.asUnownedSerialExecutor() }
  private nonisolated let radio: any Radio
  private let timekeeper: any Timekeeper
  private let deliver: @Sendable ([FleetEvent]) async -> Void
  private var sessions: [BoardSession] = []
  private let joined = TaskWaker()
  /// Of all sessions. Confined to the executor, as they are.
  nonisolated(unsafe) let intake = SharedIntake()

  /// `radio` is that of the sessions; `deliver` publishes through the uplinks and never waits for a network or a disk.
  init(
    of radio: any Radio, timekeeper: any Timekeeper, deliver: @escaping @Sendable ([FleetEvent]) async -> Void
  ) {
    self.radio = radio
    self.timekeeper = timekeeper
    self.deliver = deliver
  }

  /// Ticks until cancelled, and pauses while there is no session to tick for.
  func run() async {
    while !Task.isCancelled {
      guard !sessions.isEmpty else {
        intake.stop()
        await joined.sleep(atMost: nil, by: timekeeper)
        continue
      }
      do { try await radio.pause(for: Self.period, by: timekeeper) } catch { return }
      let events = tick()
      if !events.isEmpty { await deliver(events) }
    }
  }

  private func tick() -> [FleetEvent] {
    let uptime = timekeeper.uptime
    let inTime = intake.tick(at: uptime, timekeeper.now, period: Self.period)
    for session in sessions { session.assumeIsolated { $0.tick(at: uptime, inTime: inTime) } }
    return intake.takeFinished(at: uptime)
  }

  /// The session is looked after from now on.
  func join(_ session: BoardSession) {
    sessions.append(session)
    joined.wake()
  }

  /// The session is over.
  func leave(_ session: BoardSession) { sessions.removeAll { $0 === session } }
}
