import BoardKit
import FleetModel

/// What the radio has reported so far. Pure; returns what changed by it.
struct RadioState: Sendable {
  private(set) var adapters: [AdapterID: AdapterStatus] = [:]
  /// Since when an adapter that was there is missing.
  private(set) var missingSince: [AdapterID: Timestamp] = [:]
  private(set) var lastAdvertisement: [AdapterID: Timestamp] = [:]
  /// Boards that the system holds connected, whoever connected them.
  private(set) var connected: [BoardID: AdapterID] = [:]
  private(set) var isServiceAvailable = false
  /// Whether the radio has said so, or the contrary.
  private var isServiceKnown = false
  private(set) var serviceMessage = "BlueZ has not answered yet"
  /// Why no board can be connected; nil when one can.
  private(set) var trouble: Availability.Reason? = .busLost
  /// Switched off and on on request, since the start.
  private(set) var resets: [AdapterID: Int] = [:]
  /// Scans that were restarted because they had gone deaf, since the start.
  private(set) var scanRestarts: [AdapterID: Int] = [:]
  /// What does not work although it should, and what was done about it.
  private(set) var symptoms = RecoverySymptoms()
  var recovery = RecoveryLadder()
  /// When to look for boards that are missing.
  var wideScans = WideScanSchedule()
  /// What was heard since somebody asked for a scan; nil when nobody did.
  private(set) var scan: [BoardID: AdvertisementReport]?

  /// What is missing for so long is taken to be gone for good.
  static let longestAbsence = Duration.seconds(7 * 86_400)

  /// Returns whether Bluetooth came or went, or is missing at the start. `time` is that of the host's clock.
  mutating func service(
    _ isAvailable: Bool, _ message: String, at now: Duration, time: Timestamp
  ) -> Bool {
    serviceMessage = message
    symptoms.service(isAvailable: isAvailable, at: now)
    guard isAvailable != isServiceAvailable || !isServiceKnown else { return false }
    isServiceKnown = true
    isServiceAvailable = isAvailable
    if !isAvailable {
      for adapter in adapters.keys { isMissing(adapter, since: time) }
      connected = [:]
    }
    return true
  }

  /// Takes how an adapter is. Returns whether it can be used by now where that may have changed, and the type of the
  /// event that tells it, if one does.
  mutating func adapter(_ status: AdapterStatus, at now: Duration) -> (isUsable: Bool, type: String?)? {
    let isDown = status.unusable == nil && [.down, .failed].contains(status.state)
    symptoms.adapter(status.id, isDown: isDown, at: now)
    missingSince[status.id] = nil
    let before = adapters.updateValue(status, forKey: status.id)
    // Those without an address have one document; another name is another adapter.
    let isOther = status.id == .withoutAddress && before?.name != status.name
    guard before?.state != status.state || isOther else { return nil }
    let type: String? =
      switch status.state {
      case .up: before == nil ? nil : "returned"
      case .blocked: "blocked"
      case .failed: "failed"
      case .down, .missing: nil
      }
    return (status.state == .up, type)
  }

  /// The adapter left. Returns how it was, where that is news.
  mutating func adapterGone(_ adapter: AdapterID, time: Timestamp) -> AdapterStatus? {
    guard let status = adapters[adapter], status.state != .missing else { return nil }
    isMissing(adapter, since: time)
    symptoms.adapter(adapter, isDown: false, at: .zero)
    symptoms.notSilent(adapter)
    return status
  }

  private mutating func isMissing(_ adapter: AdapterID, since time: Timestamp) {
    guard adapters[adapter]?.state != .missing else { return }
    adapters[adapter]?.state = .missing
    adapters[adapter]?.isDiscovering = false
    missingSince[adapter] = time
  }

  /// An adapter that an earlier run told of and that is not here. Returns whether it was unknown until now.
  mutating func remembered(_ adapter: AdapterID, name: String, lastSeen: Timestamp) -> Bool {
    guard adapters[adapter] == nil else { return false }
    adapters[adapter] = AdapterStatus(id: adapter, name: name, state: .missing, isDiscovering: false)
    missingSince[adapter] = lastSeen
    return true
  }

  /// Nothing of a missing adapter is kept any more. Returns how it was; nil where it is not missing.
  mutating func forget(_ adapter: AdapterID) -> AdapterStatus? {
    guard let status = adapters[adapter], status.state == .missing else { return nil }
    adapters[adapter] = nil
    missingSince[adapter] = nil
    lastAdvertisement[adapter] = nil
    resets[adapter] = nil
    scanRestarts[adapter] = nil
    return status
  }

  /// Adapters that are missing for so long that they are gone for good. Nobody knows while the service is not there, or
  /// the clock is not set.
  func goneForGood(at time: Timestamp) -> [AdapterID] {
    guard isServiceAvailable, time.isPlausible else { return [] }
    return missingSince.filter { time - $0.value >= Self.longestAbsence }.keys.sorted()
  }

  /// The gateway stops: it looks for nobody any more.
  mutating func stopped() {
    for adapter in adapters.keys { adapters[adapter]?.isDiscovering = false }
  }

  mutating func connection(of board: BoardID, on adapter: AdapterID, isConnected: Bool) {
    connected[board] = isConnected ? adapter : nil
  }

  /// Something was received over an adapter. Returns whether it was silent before.
  @discardableResult
  mutating func advertised(_ report: AdvertisementReport) -> Bool {
    let wasSilent = symptoms.isSilent(report.adapter)
    lastAdvertisement[report.adapter] = report.time
    symptoms.notSilent(report.adapter)
    if scan != nil { scan?[report.board] = report }
    return wasSilent
  }

  mutating func scanBegins() { scan = [:] }

  /// Ends a scan. Returns what it heard.
  mutating func scanEnds() -> [AdvertisementReport] {
    defer { scan = nil }
    return scan.map { Array($0.values) } ?? []
  }

  mutating func reset(_ adapter: AdapterID) { resets[adapter, default: 0] += 1 }

  mutating func scanRestarted(_ adapter: AdapterID, at now: Duration) {
    scanRestarts[adapter, default: 0] += 1
    symptoms.scanRestarted(adapter, at: now)
  }

  /// Judges whether boards can be connected. Returns whether that changed.
  mutating func judge() -> Bool {
    let before = trouble
    if !isServiceAvailable {
      trouble = .busLost
    } else {
      trouble = adapters.values.contains { $0.state == .up } ? nil : .noAdapter
    }
    return trouble != before
  }

  /// Why no board can be connected, in words.
  var troubleMessage: String {
    guard trouble == .noAdapter else { return serviceMessage }
    let cause = adapters[.withoutAddress].flatMap { $0.state == .failed ? $0.unusable?.sentence : nil }
    return "no Bluetooth adapter can be used" + (cause.map { ": \($0)" } ?? "")
  }
}

extension AdapterStatus {
  /// Why it is not used although the system has it; nil where nothing forbids that.
  var unusable: StatedReason? {
    guard id == .withoutAddress else { return nil }
    return StatedReason(
      .noAddress,
      "\(name) has no Bluetooth address of its own, so it is not used; set one with btmgmt public-addr, or use another adapter"
    )
  }
}
