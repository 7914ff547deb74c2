import FleetModel

/// A command waits for a link, or for its turn.
struct LinkWaiter {
  var deadline: Duration
  /// Whether it waits for the next contact, whenever that is.
  var isQueued = false
  /// Nil for a command that was begun and needs another link.
  var turn: CommandSequence.Turn?
  /// Tells the sender that it waits.
  var queued: (@Sendable (Timestamp?) async -> Void)?
  var notice = QueueNotice()
  var continuation: CheckedContinuation<Bool, Never>
}

/// A command waits for the board to come back.
struct RebootWaiter {
  var deadline: Duration
  /// Whether a return without a reset counts, too.
  var takesAnyReturn: Bool
  var continuation: CheckedContinuation<Bool, Never>
}

/// A command waits for what becomes of an update.
struct UpdateWaiter {
  var stages: CommandProgress
  var continuation: CheckedContinuation<UpdateStep, Never>
}

/// What whoever gave an update has to do.
enum UpdateStep: Sendable {
  /// Tell the application once more to enter its bootloader.
  case jump
  case answer(CommandOutcome)
}

/// How a board's commands wait: for each other, for a link, for the board's return after a reset. Each wait is resumed
/// with whether what it was for has come.
struct CommandQueue {
  private(set) var turns = CommandSequence()
  private var links: [LinkWaiter] = []
  private var reboot: RebootWaiter?
  private var update: UpdateWaiter?
  /// What came of an update before anybody waited for it.
  private var updateStep: UpdateStep?
  /// Commands that were accepted and have no outcome yet.
  private(set) var count = 0
  /// Nobody would wake a command that waits any more.
  private(set) var isOver = false

  // Turns.

  mutating func take() -> CommandSequence.Turn { turns.take() }

  /// The command of a turn begins to wait for it.
  mutating func enter() { count += 1 }

  mutating func exit() { count -= 1 }

  /// It is over, or had nothing to wait for.
  mutating func leave(_ turn: CommandSequence.Turn) { turns.leave(turn) }

  mutating func sent(_ turn: CommandSequence.Turn) { turns.sent(turn) }

  mutating func giveBack(_ turn: CommandSequence.Turn) { turns.giveBack(turn) }

  /// Whether it is the turn of this one, which begins then.
  mutating func begins(_ turn: CommandSequence.Turn) -> Bool {
    guard turns.next == turn else { return false }
    turns.begin(turn)
    return true
  }

  /// Lets the next command begin, on a board that is there.
  mutating func serve() {
    guard let turn = turns.next, let place = links.firstIndex(where: { $0.turn == turn }) else { return }
    turns.begin(turn)
    links.remove(at: place).continuation.resume(returning: true)
  }

  mutating func withdraw(_ turn: CommandSequence.Turn) {
    guard let place = links.firstIndex(where: { $0.turn == turn }) else { return }
    links.remove(at: place).continuation.resume(returning: false)
  }

  // Links.

  /// Whether somebody waits for more than the next contact.
  var wantsLink: Bool { reboot != nil || links.contains { !$0.isQueued } }

  mutating func wait(_ waiter: LinkWaiter) {
    guard !isOver else { return waiter.continuation.resume(returning: false) }
    links.append(waiter)
  }

  /// The board is there: whoever was begun goes on, and then the next in turn.
  mutating func boardIsReady() {
    let begun = links.filter { $0.turn == nil }
    links.removeAll { $0.turn == nil }
    for waiter in begun { waiter.continuation.resume(returning: true) }
    serve()
  }

  /// Those to be notified that they wait for a contact that is planned for `eta`.
  mutating func notices(_ eta: Timestamp?, at now: Timestamp) -> [@Sendable (Timestamp?) async -> Void] {
    links.indices.compactMap { place in
      guard let queued = links[place].queued, links[place].notice.shouldNotify(eta, at: now) else {
        return nil
      }
      return queued
    }
  }

  // Resets.

  mutating func wait(_ waiter: RebootWaiter) {
    reboot?.continuation.resume(returning: false)
    reboot = waiter
  }

  /// The board answered on a new link.
  mutating func returned(hasRebooted: Bool) {
    guard let waiter = reboot, hasRebooted || waiter.takesAnyReturn else { return }
    reboot = nil
    waiter.continuation.resume(returning: true)
  }

  // Updates.

  mutating func wait(_ waiter: UpdateWaiter) {
    guard !isOver, update == nil else { return waiter.continuation.resume(returning: .answer(Self.left)) }
    if let step = updateStep {
      updateStep = nil
      return waiter.continuation.resume(returning: step)
    }
    update = waiter
  }

  /// What came of an earlier update is of no interest.
  mutating func forgetUpdate() { updateStep = nil }

  /// An update has come so far.
  mutating func updated(_ step: UpdateStep) {
    guard let waiter = update else { return updateStep = step }
    update = nil
    waiter.continuation.resume(returning: step)
  }

  /// Who hears how far an update has come.
  var updateProgress: CommandProgress? { update?.stages }

  private static let left = CommandOutcome.unknown(
    message: "the gateway let go of the board during the update; it goes on when the gateway is back")

  // Ends.

  /// Gives up on waits whose time is over. Returns the next deadline.
  mutating func expire(at uptime: Duration) -> Duration? {
    let late = links.filter { $0.deadline <= uptime }
    links.removeAll { $0.deadline <= uptime }
    for waiter in late { waiter.continuation.resume(returning: false) }
    if let waiter = reboot, waiter.deadline <= uptime {
      reboot = nil
      waiter.continuation.resume(returning: false)
    }
    return (links.map(\.deadline) + [reboot?.deadline].compactMap { $0 }).min()
  }

  /// Ends all waits, for good.
  mutating func close() {
    isOver = true
    for waiter in links { waiter.continuation.resume(returning: false) }
    links = []
    reboot?.continuation.resume(returning: false)
    reboot = nil
    updated(.answer(Self.left))
  }
}
