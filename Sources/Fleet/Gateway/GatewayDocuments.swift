import BoardKit
import FleetModel

/// The retained documents of the gateway itself, as they were last published (MQTT contract 1.5 to 1.7). Pure.
struct GatewayDocuments: Sendable {
  private var adapters: [AdapterID: (report: AdapterReport, time: Timestamp)] = [:]
  private(set) var info: GatewayInfo?
  private(set) var health: (time: Timestamp, numbers: [Metric: Double])?
  /// What somebody should see to.
  var alarms = AlarmWatch()
  /// Rollouts of firmware, the latest first.
  var rollouts: [RolloutReport] = []
  /// What lasts and somebody has to see to.
  var troubles = GatewayInfo.Troubles()
  /// Whether it was told that the host's clock is not set.
  var clock = HostClockState()
  /// Version of MQTT that the broker speaks with us.
  var mqttProtocol = "5"

  /// Why the file as it is now is not what counts; nil when it is.
  var configurationError: String? {
    get { troubles.configurationError }
    set { troubles.configurationError = newValue }
  }

  /// Takes what the gateway is by now; `changed` is worked out here. Returns it where it is news.
  mutating func update(_ new: GatewayInfo, at now: Timestamp) -> GatewayInfo? {
    var new = new
    new.changed = info?.changed ?? now
    guard new != info else { return nil }
    new.changed = now
    info = new
    return new
  }

  /// Returns the report where it is news.
  mutating func update(_ report: AdapterReport, at now: Timestamp) -> AdapterReport? {
    guard report != adapters[report.id]?.report else { return nil }
    adapters[report.id] = (report, now)
    return report
  }

  /// Nothing is said of an adapter any more.
  mutating func forget(_ adapter: AdapterID) { adapters[adapter] = nil }

  mutating func update(_ numbers: [Metric: Double], at now: Timestamp) { health = (now, numbers) }

  /// Whether these numbers are others than health said last; before the first health nothing is.
  func healthDiffers(from numbers: [Metric: Double]) -> Bool {
    guard let health else { return false }
    return numbers.contains { health.numbers[$0.key] != $0.value }
  }

  /// The adapters' reports, in their order.
  var adapterReports: [AdapterReport] { adapters.sorted { $0.key < $1.key }.map(\.value.report) }

  /// All of them as they were last published, for a broker that may have lost them. `storage` is how the store is.
  func retained(storage: StorageCondition) -> [FleetEvent] {
    var events: [FleetEvent] = []
    if let info { events.append(.gatewayInfo(info)) }
    if let health { events.append(.health(health.time, health.numbers, storage)) }
    if let report = alarms.report { events.append(.alarms(report)) }
    return events + rollouts.map { .rollout($0) }
      + adapters.sorted { $0.key < $1.key }.map { .adapter($0.value.time, $0.value.report) }
  }
}

extension StatedReason {
  fileprivate static let scanSilent = StatedReason(
    .scanSilent,
    "nothing is received over the adapter although boards are missing, also after its scan was restarted; where such "
      + "silence is normal, bluetooth.quiet_ok: true")
}

extension AdapterReport {
  /// How an adapter is: what the radio says, how its slots are used, what came of attempts, and what the boards on it
  /// ask of their links, in packets a second.
  init(
    _ status: AdapterStatus, in radio: RadioState, _ slots: ConnectionSlotPlan.Adapter?,
    _ attempts: ConnectionScheduler.Statistics?, queue: ConnectionQueue, load: Double = 0
  ) {
    self.init(id: status.id, name: status.name, state: status.state.rawValue, slotsTotal: 0)
    lastError = attempts?.lastError
    lastErrorTime = attempts?.lastErrorTime
    lastSeen = radio.missingSince[status.id]
    // One that is not there carries nothing, and nobody waits for it.
    guard status.state != .missing else { return }
    slotsTotal = slots?.places ?? 0
    slotsUsed = slots?.links.count ?? 0
    slotsLearned = slots?.learned?.links
    connecting = slots?.connecting
    self.queue = queue
    connected = (slots?.links ?? []).sorted()
    self.load = load
    isScanning = status.isDiscovering
    lastAdvertisement = radio.lastAdvertisement[status.id]
    connectsOK = attempts?.connectsOK ?? 0
    connectsFailed = attempts?.connectsFailed ?? 0
    resets = radio.resets[status.id] ?? 0
    scanRestarts = radio.scanRestarts[status.id] ?? 0
    if radio.symptoms.isSilent(status.id) { scanTrouble = .scanSilent }
  }
}
