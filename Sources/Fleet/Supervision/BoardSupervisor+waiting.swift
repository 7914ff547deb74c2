import BoardKit
import FleetModel

/// A command waits for a link, or for its turn.
struct LinkWaiter {
  var deadline: Duration
  /// Whether it waits for the next contact, whenever that is.
  var isPatient = false
  /// Nil for a command that was begun and needs another link.
  var turn: CommandTurns.Turn?
  /// Tells the sender that it waits.
  var queued: (@Sendable (Timestamp?) async -> Void)?
  var notice = QueueNotice()
  var continuation: CheckedContinuation<Bool, Never>
}

/// How commands wait for the board and for each other.
extension BoardSupervisor {
  func commandStanding() -> CommandStanding {
    CommandStanding(
      groups: desired.groups, chains: wantedChains, adapter: state.adapter, isReachable: isSessionReady,
      nextContact: plannedContact)
  }

  /// When the board is expected; nil when nothing is planned, or it should have been here.
  private var plannedContact: Timestamp? {
    guard !isSessionReady, !isHeld else { return nil }
    return nextDue.flatMap { $0 > now ? $0 : nil }
  }

  /// The session once it is the turn of a command and the board can take it; nil when that did not come before `expires`.
  func session(
    for turn: CommandTurns.Turn, until expires: Timestamp, isPatient: Bool, _ stages: CommandStages
  ) async -> BoardSession? {
    while true {
      if isSessionReady, let session, turns.next == turn {
        turns.begin(turn)
        return session
      }
      // Whoever only waits for others finds the board there.
      if !isSessionReady, cannotConnect(isPatient: isPatient) { return nil }
      guard
        await waits(
          until: expires, isPatient: isPatient, turn: turn,
          queued: isPatient ? stages.queued : nil)
      else { return nil }
      if isSessionReady, let session { return session }
      // It went again before the command could begin.
      turns.giveBack(turn)
    }
  }

  /// The session for a command that was begun; nil when there was none before `expires`.
  func readySession(until expires: Timestamp) async -> BoardSession? {
    if isSessionReady, let session { return session }
    if cannotConnect(isPatient: false) { return nil }
    guard await waits(until: expires, isPatient: false, turn: nil, queued: nil) else { return nil }
    return session
  }

  private func waits(
    until expires: Timestamp, isPatient: Bool, turn: CommandTurns.Turn?,
    queued: (@Sendable (Timestamp?) async -> Void)?
  ) async -> Bool {
    guard !isOver else { return false }
    return await withCheckedContinuation { continuation in
      linkWaiters.append(
        LinkWaiter(
          deadline: uptime + (expires - now), isPatient: isPatient, turn: turn, queued: queued,
          continuation: continuation))
      dutyAlarm.ring()
      if !isPatient { linkAlarm.ring() }
    }
  }

  private func cannotConnect(isPatient: Bool) -> Bool {
    if case .held = machine.state { return !isPatient }
    return !desired.isEnabled
  }

  /// Lets the next command begin where the board is there and no other runs.
  func serveNextTurn() {
    guard isSessionReady, let turn = turns.next,
      let place = linkWaiters.firstIndex(where: { $0.turn == turn })
    else { return }
    turns.begin(turn)
    linkWaiters.remove(at: place).continuation.resume(returning: true)
  }

  func withdraw(_ turn: CommandTurns.Turn) {
    guard let place = linkWaiters.firstIndex(where: { $0.turn == turn }) else { return }
    linkWaiters.remove(at: place).continuation.resume(returning: false)
  }

  /// Tells senders whose commands wait for the next contact when that is planned.
  func tellQueued() async {
    guard !isSessionReady, !linkWaiters.isEmpty else { return }
    let eta = plannedContact
    var tellers: [@Sendable (Timestamp?) async -> Void] = []
    for place in linkWaiters.indices {
      guard let queued = linkWaiters[place].queued, linkWaiters[place].notice.tells(eta, at: now) else {
        continue
      }
      tellers.append(queued)
    }
    for tell in tellers { await tell(eta) }
  }

  /// Why a command did not begin before it expired.
  func noLink() -> CommandFailure {
    if isSessionReady || turns.current != nil {
      return CommandFailure(.expired, "other commands were before it until it expired")
    }
    if case .held = machine.state {
      return CommandFailure(.unreachable, "the board is kept apart on request; wait until its hold ends")
    }
    guard desired.isEnabled else {
      return CommandFailure(.unreachable, "the board is disabled in the configuration")
    }
    if isReleased { return CommandFailure(.unreachable, Self.drained) }
    // It is there: what it lacks is ours.
    if case .wanting = machine.state, radioTrouble == nil {
      return CommandFailure(.expired, "the board waited for a free link until the command expired")
    }
    let why = machine.lastFailure?.message ?? "it was not heard"
    return CommandFailure(.unreachable, "no link to the board before the command expired: \(why)")
  }

  /// Gives up on waits whose time is over. Returns the next deadline.
  func expireWaiters() -> Duration? {
    let uptime = uptime
    let late = linkWaiters.filter { $0.deadline <= uptime }
    linkWaiters.removeAll { $0.deadline <= uptime }
    for waiter in late { waiter.continuation.resume(returning: false) }
    if let waiter = rebootWaiter, waiter.deadline <= uptime {
      rebootWaiter = nil
      waiter.continuation.resume(returning: false)
    }
    return (linkWaiters.map(\.deadline) + [rebootWaiter?.deadline].compactMap { $0 }).min()
  }

  func abandonWaiters() {
    let waiters = linkWaiters
    linkWaiters.removeAll()
    for waiter in waiters { waiter.continuation.resume(returning: false) }
    rebootWaiter?.continuation.resume(returning: false)
    rebootWaiter = nil
  }
}
