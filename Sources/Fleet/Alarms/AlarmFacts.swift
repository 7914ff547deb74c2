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
    /// Why it is not, in a sentence; nil where nobody knows.
    var brokerTrouble: String?
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
