import FleetModel

/// What alarms are judged by: how a gateway, its adapters and its boards are at one moment.
struct AlarmFacts: Sendable {
  /// A board, as its documents say it.
  struct Board: Sendable {
    var name: String
    var availability: Availability?
    var state: BoardState

    init(_ state: BoardState, _ availability: Availability?, name: String) {
      (self.state, self.availability, self.name) = (state, availability, name)
    }
  }

  /// A certificate that is shown to the broker, or that the broker's is judged by.
  struct Certificate: Hashable, Sendable {
    /// Where it lies.
    var file: String
    var expires: Timestamp

    init(file: String, expires: Timestamp) { (self.file, self.expires) = (file, expires) }
  }

  /// How the gateway itself is.
  struct Gateway: Sendable {
    /// The numbers of health that are looked at.
    var numbers: [Metric: Double] = [:]
    /// Why no board can be connected; nil where one can.
    var bluetoothTrouble: String?
    var isBrokerConnected = false
    var storage = StorageCondition.fine
    var keptTrouble: KeptStreamsStatus.Trouble?
    var troubles = GatewayInfo.Troubles()
    /// Why newer firmware cannot be looked for; nil where it can.
    var firmwareTrouble: String?
    var certificates: [Certificate] = []
    /// What the last minutes brought.
    var recent = RecentCounts.Amounts()

    init() {}

    func number(_ metric: Metric) -> Double { numbers[metric] ?? 0 }
  }

  var time: Timestamp
  var gateway = Gateway()
  var adapters: [AdapterReport] = []
  var boards: [Board] = []

  init(at time: Timestamp) { self.time = time }
}

/// What was counted in the last minutes, from counters that only grow. Pure; times are uptimes.
struct RecentCounts: Sendable {
  /// The counters, or how far they grew.
  struct Amounts: Hashable, Sendable {
    var samplesIn = 0
    /// Samples that are lost, or were given up.
    var samplesMissing = 0
    var commandsFailed = 0

    init(samplesIn: Int = 0, samplesMissing: Int = 0, commandsFailed: Int = 0) {
      (self.samplesIn, self.samplesMissing) = (samplesIn, samplesMissing)
      self.commandsFailed = commandsFailed
    }

    fileprivate static func - (new: Amounts, old: Amounts) -> Amounts {
      Amounts(
        samplesIn: new.samplesIn - old.samplesIn, samplesMissing: new.samplesMissing - old.samplesMissing,
        commandsFailed: new.commandsFailed - old.commandsFailed)
    }
  }

  /// How far back is looked; and a reading is kept so often.
  static let span = Duration.seconds(900)
  private static let spacing = Duration.seconds(30)

  private var readings: [(time: Duration, amounts: Amounts)] = []

  /// Takes what the counters say. Returns how far they grew in the last `span`.
  mutating func take(_ amounts: Amounts, at uptime: Duration) -> Amounts {
    // One that is older than the span stays: what is looked at is never shorter.
    while readings.count > 1, uptime - readings[1].time >= Self.span { readings.removeFirst() }
    let growth = amounts - (readings.first?.amounts ?? amounts)
    if readings.last.map({ uptime - $0.time >= Self.spacing }) ?? true { readings.append((uptime, amounts)) }
    return growth
  }
}
