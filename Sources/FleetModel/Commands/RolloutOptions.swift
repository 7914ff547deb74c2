/// How new firmware goes over many boards, one after the other.
public struct RolloutOptions: Hashable, Sendable {
  /// Boards that get it first; more where there are more kinds of boards. Not 0.
  public var canaries = 1
  /// Which these are; empty: those with the fullest batteries and the best signal.
  public var namedCanaries: Set<BoardID> = []
  /// For how long the first ones are watched before others follow.
  public var soak = Duration.seconds(3_600)
  /// Boards that are begun in an hour behind the first ones, at first.
  public var perHour = 5
  /// What that grows by, each time as many boards as are begun in an hour have the firmware; at least 1.
  public var growth = 2.0
  /// How far it grows.
  public var mostPerHour = 60
  /// Boards at once; on one adapter it is never more than one.
  public var parallel = 4
  /// When boards may be begun; empty: at any time.
  public var hours: [HoursOfDay] = []
  /// Share of failed ones among the finished, in percent, above which no more are begun; nil: never.
  public var failPercent: Int? = 10
  /// From so many finished ones on that share is judged.
  public var judgedFrom = 5
  /// Boards left without firmware from which on no more are begun; 0: never.
  public var stranded = 1
  /// After which a board counts as failed.
  public var timeout = Duration.seconds(1_800)
  /// How often a board that failed is begun again.
  public var retries = 2
  /// What is done beyond the usual.
  private var extras: Set<Extra> = []
  /// After which no more are begun.
  public var until: Timestamp?

  /// All defaults.
  public init() {}
}

extension RolloutOptions {
  /// What has to be asked for.
  fileprivate enum Extra: Hashable, Sendable { case bootloader, sameOrNewer }

  /// Whether bootloaders may be replaced.
  public var allowsBootloader: Bool {
    get { extras.contains(.bootloader) }
    set { set(.bootloader, newValue) }
  }

  /// Whether boards that have the same version, or a newer one, get it as well.
  public var isForced: Bool {
    get { extras.contains(.sameOrNewer) }
    set { set(.sameOrNewer, newValue) }
  }

  private mutating func set(_ extra: Extra, _ isWanted: Bool) {
    if isWanted { extras.insert(extra) } else { extras.remove(extra) }
  }
}

extension RolloutOptions {
  /// Reads checked keys; what is missing has its default.
  public init(document: JSONObject) {
    canaries = document["canary"]?.integer.map { Int($0) } ?? canaries
    namedCanaries = Set((document["canaries"]?.array ?? []).compactMap { $0.string.flatMap { BoardID($0) } })
    soak = document["soak"]?.string.flatMap { DurationText.parse($0) } ?? soak
    let ramp = document["ramp"]?.object ?? [:]
    perHour = ramp["per_hour"]?.integer.map { Int($0) } ?? perHour
    growth = ramp["factor"]?.number ?? growth
    mostPerHour = ramp["max_per_hour"]?.integer.map { Int($0) } ?? mostPerHour
    parallel = document["parallel"]?.integer.map { Int($0) } ?? parallel
    hours = (document["hours"].map { $0.array ?? [$0] } ?? []).compactMap {
      $0.string.flatMap { HoursOfDay($0) }
    }
    if let abort = document["abort"]?.object {
      let percent = abort["fail_pct"]?.integer.map { Int($0) } ?? failPercent
      failPercent = percent == 0 ? nil : percent
      judgedFrom = abort["min_finished"]?.integer.map { Int($0) } ?? judgedFrom
      stranded = abort["stranded"]?.integer.map { Int($0) } ?? stranded
    }
    timeout = document["timeout"]?.string.flatMap { DurationText.parse($0) } ?? timeout
    retries = document["retries"]?.integer.map { Int($0) } ?? retries
    allowsBootloader = document["allow_bootloader"]?.bool ?? allowsBootloader
    isForced = document["force"]?.bool ?? isForced
    until = document["until_ms"]?.integer.map { Timestamp(milliseconds: $0) }
  }

  /// Its keys.
  public var document: JSONObject {
    let abort: JSONObject = [
      "fail_pct": .integer(Int64(failPercent ?? 0)), "min_finished": .integer(Int64(judgedFrom)),
      "stranded": .integer(Int64(stranded)),
    ]
    var document: JSONObject = [
      "canary": .integer(Int64(canaries)), "soak": .string(DurationText.format(soak)),
      "ramp": .object([
        "per_hour": .integer(Int64(perHour)), "factor": .number(growth),
        "max_per_hour": .integer(Int64(mostPerHour)),
      ]), "parallel": .integer(Int64(parallel)), "abort": .object(abort),
      "timeout": .string(DurationText.format(timeout)), "retries": .integer(Int64(retries)),
      "allow_bootloader": .bool(allowsBootloader), "force": .bool(isForced),
    ]
    if !namedCanaries.isEmpty {
      document["canaries"] = .array(namedCanaries.sorted().map { .string($0.description) })
    }
    if !hours.isEmpty { document["hours"] = .array(hours.map { .string($0.text) }) }
    document["until_ms"] = until.map { .integer($0.milliseconds) }
    return document
  }
}
