import BoardKit
import FleetModel
import Storage

/// What is to be done about a board's log, from what is wanted, what the board tells and what we know of its run. Pure.
struct LogPlan: Sendable {
  /// What makes the board log as it should.
  enum Step: Hashable, Sendable {
    /// Nothing: it does, or has to wait for a download.
    case nothing
    /// Switch logging on.
    case startLogging
    /// Switch it off.
    case stopLogging
  }

  /// What the run in the archive has to become before the board logs.
  enum LogSessionStep: Hashable, Sendable {
    /// It goes on as it is.
    case goOn
    /// These are its streams from now on.
    case map([LoggedStream])
    /// Another run begins.
    case begin
    /// There is none, and nothing to begin one for.
    case nothing
  }

  /// What the board shall log.
  var wanted: [String: StreamRequest]
  /// Whether the oldest entries shall give way.
  var isCircular: Bool
  /// What its loggers were last made for.
  var made: [String: StreamRequest] = [:]
  var status: LogStatus
  /// The run whose entries are, or may be, on the board.
  var run: LogSession?
  /// The board's resets as this fleet counts them.
  var boot: Int
  /// When the log was last seen to be empty after it was cleared.
  var cleared: Timestamp?

  /// So long after it was cleared, a log may still count an entry that it does not hold (fault F38).
  static let staleLength = Duration.seconds(90)

  /// Entries that are there.
  var entries: Int {
    guard status.entries == 1, let cleared, status.clock.time - cleared < Self.staleLength else {
      return status.entries
    }
    return 0
  }

  /// Whether the run began before the board's last reset, which took its loggers.
  var isRunOfEarlierBoot: Bool {
    guard let run else { return false }
    return run.boot != boot || run.resetID != status.clock.clock.resetID
  }

  /// Whether what is there has to be downloaded before anything else is logged: a reset took the loggers (fault F39),
  /// or a download was cut off before its end (fault F31, F32). What fell short is left to a person.
  var downloadsFirst: Bool {
    guard entries > 0, let run else { return false }
    return switch run.progress {
    case .reading: isRunOfEarlierBoot || !status.isLogging
    case .logging, .complete: isRunOfEarlierBoot
    case .short, .cleared: false
    }
  }

  /// Whether nothing of the run is left on the board, so that what comes next is another one.
  var isRunOver: Bool {
    guard let run, entries == 0 else { return false }
    return isRunOfEarlierBoot || run.progress != .logging || run.stored > 0
  }

  /// Whether a new run begins when the board is armed, although older entries may be there.
  var needsNewRun: Bool { run == nil || isRunOver || isRunOfEarlierBoot }

  /// Whether what is there would be taken for entries of other loggers if the board logged now.
  var wouldMix: Bool { entries > 0 && isRunOfEarlierBoot && run?.progress != .short }

  /// Whether there is no room for more.
  var isFull: Bool { !isCircular && status.capacity > 0 && status.entries >= status.capacity }

  var step: Step {
    if downloadsFirst { return .nothing }
    // What others log is theirs.
    if wanted.isEmpty { return status.isLogging && run != nil ? .stopLogging : .nothing }
    if isFull || status.isLogging && status.isCircular == isCircular { return .nothing }
    return .startLogging
  }

  /// What the board's loggers shall be: as long as there are entries, those that wrote them stay as they were.
  var loggers: [String: StreamRequest] {
    guard entries > 0, run != nil, !isRunOfEarlierBoot else { return wanted }
    return wanted.merging(made) { _, made in made }
  }

  /// What the run in the archive has to become before the board writes down `logged`: its entries are understood by
  /// that.
  func runStep(logging logged: [LoggedStream]) -> LogSessionStep {
    guard !needsNewRun, let run else { return logged.isEmpty ? .nothing : .begin }
    let isEmpty = entries == 0 && run.stored == 0
    let streams = isEmpty ? logged : run.streams + logged.filter { !run.streams.contains($0) }
    return streams == run.streams ? .goOn : .map(streams)
  }

  /// Pages that were recycled until the run began, where that is not known yet: none since, as long as its log is less
  /// than half full.
  var learnedRecycledPages: Int? {
    guard let run, run.recycledPages == nil, run.progress == .logging, 2 * status.entries < status.capacity
    else { return nil }
    return status.recycledPages
  }

  /// Streams that are logged otherwise than wanted until the log is downloaded.
  var waiting: [String] {
    let loggers = loggers
    return wanted.filter { loggers[$0.key] != $0.value }.keys.sorted()
  }

  /// Whether the oldest entries have given way since the run began (fault F42).
  var isWrapped: Bool {
    guard status.isCircular, let before = run?.recycledPages, let now = status.recycledPages else {
      return false
    }
    return now > before
  }

  /// What of the board's log others have changed since we were there, in the words of resources (fault F48). `last` is
  /// how we left it.
  func foreignChanges(since last: LogEstimate) -> [String] {
    guard let run, run.progress == .logging, !isRunOfEarlierBoot else { return [] }
    var changes: [String] = []
    if last.isLogging, !status.isLogging, !isFull { changes.append("logging") }
    if status.entries < last.entries, !isWrapped { changes.append("log") }
    return changes
  }
}
