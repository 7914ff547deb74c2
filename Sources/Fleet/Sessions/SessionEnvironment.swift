import BoardKit
import FleetModel
import Storage

/// What a session needs from around it.
struct SessionEnvironment: Sendable {
  var timekeeper: any Timekeeper
  var counters: Counters
  var family: FamilyDescriptor
  var limits: LaneLimits
  /// When the battery and the board's clock are due.
  var schedules: Schedules
  /// The site's clocks.
  var timeZone = TimeZoneRules.utc
  /// Keeps what boards have logged.
  var store: Store
  /// Whether the host's own clock is set.
  var isHostTimeKnown: @Sendable () -> Bool
  /// Seed of this session's identifiers.
  var seed: UInt64
  /// Looks after the session.
  var ticker: SessionTicker
  /// Tells the uplinks; never waits for a network or a disk.
  var deliver: @Sendable ([FleetEvent]) async -> Void
  /// Tells the supervisor.
  var report: @Sendable (SessionReport) async -> Void
}

extension SessionEnvironment {
  /// Takes over what a new configuration says of all boards.
  mutating func take(_ configuration: FleetConfiguration) {
    (limits, schedules, timeZone) = (
      configuration.lanes, configuration.schedules, configuration.timeZone
    )
  }
}
/// Where streams of earlier links ended, by their names.
struct StreamEnds: Hashable, Sendable {
  /// Those that a lost link cut off: what is missing until their first sample is a gap.
  var cutOff: [String: StreamInterruption] = [:]
  /// The latest stamps: those of a stream only ever increase.
  var lastStamp: [String: Timestamp] = [:]
}

/// Where a stream broke off.
struct StreamInterruption: Hashable, Sendable {
  /// The session it was.
  var session: ULID
  /// Time of its last sample, of the last one that was kept if the gateway was killed.
  var lastSample: Timestamp
  /// How many samples behind that one an event told as missing, by gateways that were killed before they had kept one.
  var told = 0
  /// Our time that passed in one second of the sensor's, less one, as far as it was known.
  var rate = 0.0
  /// Why, where that is known already; otherwise the link was lost.
  var reason: GapReason?

  /// How many samples are missing until one at `time`, of a sensor that takes one each `period`; -1 without a period.
  func missing(until time: Timestamp, each period: Duration?) -> Int {
    guard let period, period > .zero else { return -1 }
    return Int(max(0, ((time - lastSample) / (period * (1 + rate))).rounded() - 1))
  }

  /// How many of `missing` were not told yet; -1 where nobody could count.
  func untold(of missing: Int) -> Int { missing < 0 ? missing : max(0, missing - told) }
}

/// What a session tells its supervisor.
enum SessionReport: Sendable {
  /// A request was answered: who the board is. `boots` includes this interview.
  case interviewed(Interview, BootRecord, hasRebooted: Bool)
  /// Another board than the one that is meant answered: the link ends, and nothing was applied.
  case mismatched(BoardDescription, IdentityMismatch)
  /// What runs now of what is wanted, and what could not be had. `ofChains` are those that only their chains ask for.
  case streams(
    [String: StreamRequest], running: [StreamRequest], StreamVerification, ofChains: Set<String>,
    refused: [String: CommandFailure])
  /// What came of the streams since, or did not.
  case samples(StreamVerification)
  /// What the board does by itself was brought to what is wanted, as far as it could be.
  case program(ProgramDeclarations, ProgramApplied)
  /// What the board's chains yield changed.
  case chains([ChainStream])
  /// Pins that could not be set up, and why.
  case pins(refused: [UInt8: CommandFailure])
  /// Which loggers the board has by now, by what they were made for, and what it cannot log.
  case logs([String: StreamRequest], [LoggedStream], refused: [String: CommandFailure])
  /// How the board's log stands.
  case log(LogSnapshot)
  /// Logging was ordered: nil when the board logs, else why it does not.
  case logStarted(CommandFailure?)
  /// Slots of loggers on the board that nobody of us made.
  case othersLoggers(Set<Int>)
  /// Something about the log cannot be understood.
  case logTrouble(String)
  /// A download began or ended.
  case downloading(Bool)
  /// A download has come so far.
  case passed(DownloadStep)
  /// The store refused a page of the log, or takes them again.
  case stored(StoreFailure?)
  /// The archive of logs has something to publish.
  case archiveGrew
  /// A download is over.
  case downloaded(LogDownload)
  /// What the contact was for is done.
  case agendaDone
  /// The board's settings were brought to what is wanted, as far as they could be.
  case settings(SettingsDeclaration, SettingsApplied)
  /// All that was ordered until now was tried.
  case ordersApplied
  /// What stands in the board's slots.
  case surveyed(SlotUsage)
  /// The driver's record of the board's program changed, and with it how many slots are ours.
  case programMemory(ProgramRecord, slots: [String: Int])
  /// The battery was read.
  case battery(percent: Int, millivolts: Int, at: Timestamp)
  /// The board can tell whether it charges.
  case charging(Bool)
  /// Something happened that is no sample.
  case event(BoardEvent, at: Timestamp)
  /// A stream fell silent, or came back.
  case silence(stream: String, isSilent: Bool)
  /// Other samples come of a stream than should; nil: as many as should again.
  case rate(stream: String, RateFault?)
  /// A reading that was due brought nothing.
  case missedPoll(EventDraft)
  /// When the last packet came; with every other report, and now and then.
  case packet(at: Timestamp)
  /// A stream that was cut off flows again: so many samples between the two times are missing, and no event has told
  /// of them yet; -1 where nobody knows.
  /// `begun` is what has to be known of the new session before the old one is forgotten.
  case resumed(stream: String, StreamInterruption, at: Timestamp, missing: Int, begun: OpenStream?)
  /// Samples are missing in the middle of a stream; `isOverflow`: because we did not read for a while.
  case missed(stream: String, session: ULID, LostSamples, isOverflow: Bool)
  /// A stream, or an answer, brings values that no sensor can measure; once a spell.
  case impossible(stream: String, ImpossibleValue)
  /// No such value has come for a while; so many samples were left out.
  case possible(stream: String, leftOut: Int)
  /// Samples were left out of a session of a stream.
  case leftOut(stream: String, session: ULID, ImpossibleEpisode.Hole)
  /// Samples were lost.
  case lost(stream: String, count: Int)
}

/// The driver's record of what of a program is on a board, and behind which of the board's resets it was made: what a
/// reset took away is not taken for ours again, be it there once more.
struct ProgramRecord: Hashable, Sendable {
  /// Opaque to all but the driver.
  var bytes: [UInt8] = []
  /// `BootRecord.count` at that time; nil = not known.
  var boot: Int?
}

/// How often a board was reset as far as this fleet has seen (MQTT API 3.2, `boot`).
struct BootRecord: Hashable, Sendable {
  /// From 1.
  var count = 1
  /// The board's own reset count at the last interview.
  var resetID: Int?
  /// When it was started, by our clock.
  var bootTime: Timestamp?
  /// When it was seen last; nil where this run of the gateway did not see it yet.
  var seen: Timestamp?

  /// Takes an interview at `now` into account. Returns whether the board was reset since the last one: its count
  /// changed, or its start moved forward by more than the clocks can explain (some firmware does not advance the
  /// count).
  ///
  /// A start that lies before the board was seen last is none: its clock jumped back (fault F154).
  mutating func observe(resetID: Int, bootTime: Timestamp, at now: Timestamp? = nil) -> Bool {
    let wasRunning = seen.map { bootTime + Self.tolerance < $0 } ?? false
    defer {
      seen = now
      self.resetID = resetID
      self.bootTime = bootTime
    }
    guard let known = self.resetID else { return false }
    let moved = self.bootTime.map { bootTime - $0 > Self.tolerance } ?? false
    guard known != resetID || moved && !wasRunning else { return false }
    count += 1
    return true
  }

  /// A board's crystal may be 40 ppm off: 3.5 s a day. A start time that moved less than this is no reset.
  static let tolerance = Duration.seconds(10)
}
