/// Something that lasts and somebody should see to: an entry of the retained `alarms` document (MQTT contract 1.9).
public struct Alarm: Hashable, Sendable {
  /// Which one it is: what is the matter, and with what. While it lasts there is one of an id.
  public struct ID: Hashable, Sendable {
    /// What is the matter.
    public var code: AlarmCode
    /// With what.
    public var subject: Subject

    /// Names an alarm.
    public init(_ code: AlarmCode, _ subject: Subject = .gateway) {
      (self.code, self.subject) = (code, subject)
    }
  }

  /// What something is the matter with.
  public enum Subject: Hashable, Sendable {
    /// The gateway that says so.
    case gateway
    case board(BoardID)
    case adapter(AdapterID)
  }

  /// That somebody has seen an alarm. It ends with the alarm.
  public struct Acknowledgement: Hashable, Sendable {
    /// When.
    public var time: Timestamp
    /// Who, as that sender says.
    public var who: String?

    /// Notes that `who` saw it at `time`.
    public init(at time: Timestamp, by who: String?) { (self.time, self.who) = (time, who) }
  }

  /// Which one.
  public var id: ID
  /// Since when it is so, also over restarts of the gateway.
  public var since: Timestamp
  /// What is the matter, and what to do: a sentence for an operator.
  public var sentence: String
  /// The board's or adapter's name; nil for the gateway.
  public var name: String?
  /// Why, for programs, where that is known.
  public var reason: ReasonCode?
  /// Nil until somebody has seen it.
  public var acknowledgement: Acknowledgement?

  /// Describes an alarm that nobody has seen.
  public init(_ id: ID, since: Timestamp, sentence: String, name: String? = nil, reason: ReasonCode? = nil) {
    (self.id, self.since, self.sentence) = (id, since, sentence)
    (self.name, self.reason) = (name, reason)
  }

  /// How grave it is.
  public var severity: AlarmSeverity { id.code.severity }
}

extension Alarm.ID: CustomStringConvertible {
  /// `board-offline.e5a1c2d3f4b6`; of the gateway the code alone.
  public var description: String {
    switch subject {
    case .gateway: code.rawValue
    case .board(let board): "\(code.rawValue).\(board)"
    case .adapter(let adapter): "\(code.rawValue).\(adapter)"
    }
  }

  /// Reads a description; nil where it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let code = parts.first.flatMap({ AlarmCode(rawValue: String($0)) }) else { return nil }
    let address = parts.dropFirst().first
    switch (code.scope, address) {
    case (.gateway, nil): self.init(code)
    case (.board, let address?):
      guard let board = BoardID(address) else { return nil }
      self.init(code, .board(board))
    case (.adapter, let address?):
      guard let adapter = AdapterID(address) else { return nil }
      self.init(code, .adapter(adapter))
    default: return nil
    }
  }
}

/// What the retained `alarms` document says: the gravest alarms of a gateway, and how many there are.
public struct AlarmReport: Hashable, Sendable {
  /// So many alarms are listed at most.
  public static let longest = 200

  /// When this was so.
  public var time: Timestamp
  /// The gravest, at most `longest`: critical ones first, of those what nobody acknowledged, the oldest first.
  public var alarms: [Alarm]
  /// How many there are of each severity, listed or not.
  public var counts: [AlarmSeverity: Int] = [:]
  /// How many of them nobody has acknowledged.
  public var unacknowledged: Int

  /// Reports `alarms`, in whatever order.
  public init(_ alarms: some Collection<Alarm>, at time: Timestamp) {
    self.time = time
    for alarm in alarms { counts[alarm.severity, default: 0] += 1 }
    unacknowledged = alarms.count { $0.acknowledgement == nil }
    self.alarms = Array(alarms.sorted(by: Self.isBefore).prefix(Self.longest))
  }

  /// How many there are.
  public var count: Int { counts.values.reduce(0, +) }

  private static func isBefore(_ one: Alarm, _ other: Alarm) -> Bool {
    func rank(_ alarm: Alarm) -> (Int, Int, Timestamp) {
      (alarm.severity.rank, alarm.acknowledgement == nil ? 0 : 1, alarm.since)
    }
    let (left, right) = (rank(one), rank(other))
    return left == right ? one.id.description < other.id.description : left < right
  }

  /// The numbers of health.
  public var numbers: [Metric: Double] {
    [
      .alarmsCritical: Double(counts[.critical] ?? 0), .alarmsWarning: Double(counts[.warning] ?? 0),
      .alarmsInfo: Double(counts[.info] ?? 0), .alarmsUnacknowledged: Double(unacknowledged),
    ]
  }
}
