import BoardKit
import FleetModel

/// The adapters of a simulated radio and the service that serves them, and whether they scan. A value.
struct RadioAdapters: Sendable {
  private var adapters: [AdapterID: AdapterStatus]
  /// Of each adapter there ever was: where it is in the air.
  private var numbers: [AdapterID: Int] = [:]
  /// False while nobody serves `org.bluez`.
  var isServiceThere = true
  var isDiscoveryWanted = false
  /// Attempts to connect that are under way; the scan pauses for them.
  var attempts = 0

  init(_ adapters: [AdapterStatus]) {
    self.adapters = Dictionary(uniqueKeysWithValues: adapters.map { ($0.id, $0) })
    for (number, adapter) in adapters.enumerated() { numbers[adapter.id] = number }
  }

  /// All there are, by their ids.
  var all: [AdapterStatus] { adapters.values.sorted { $0.id < $1.id } }

  var isScanning: Bool { isDiscoveryWanted && attempts == 0 && isServiceThere }

  func state(of adapter: AdapterID) -> AdapterStatus.State? { adapters[adapter]?.state }

  /// What somebody finds who comes now.
  var events: [RadioEvent] {
    guard isServiceThere else { return [.service(isAvailable: false, message: "nobody serves org.bluez")] }
    return [.service(isAvailable: true, message: "simulated")] + all.map { .adapter($0) }
  }

  /// An advertisement, as every adapter reports it that scans and hears it, each as strong as the board is there.
  func advertisementReports(
    of board: BoardID, _ advertisement: Advertisement, through air: inout Air, at time: Timestamp
  ) -> [RadioEvent] {
    var reports: [RadioEvent] = []
    // Whether or not one scans, so that what one adapter does is no luck of another.
    for (adapter, number) in numbers.sorted(by: { $0.value < $1.value }) {
      guard let rssi = air.hear(board.address, by: number), adapters[adapter]?.isDiscovering == true else {
        continue
      }
      reports.append(
        .advertisement(
          AdvertisementReport(
            board: board, adapter: adapter, name: advertisement.localName, rssi: rssi,
            services: [advertisement.service], time: time)))
    }
    return reports
  }

  /// Whether links can be made over an adapter; throws what BlueZ says when not.
  func require(_ adapter: AdapterID) throws(LinkFailure) {
    guard isServiceThere else { throw LinkFailure(.serviceGone, "nobody serves org.bluez") }
    guard let state = state(of: adapter) else { throw LinkFailure(.adapterGone, "there is no such adapter") }
    guard state == .up else { throw LinkFailure(.adapterOff, "Input/output error") }
  }

  /// Has those that are up scan, or not, and returns those that began or ceased to.
  mutating func updateDiscovery() -> [AdapterStatus] {
    all.compactMap { adapter in
      let isOn = isScanning && adapter.state == .up
      guard adapter.isDiscovering != isOn else { return nil }
      adapters[adapter.id]?.isDiscovering = isOn
      return adapters[adapter.id]
    }
  }

  /// Switches an adapter, or plugs it in, by any name.
  mutating func set(_ id: AdapterID, _ state: AdapterStatus.State, name: String?) -> AdapterStatus {
    var adapter =
      adapters[id] ?? AdapterStatus(id: id, name: "hci\(adapters.count)", state: state, isDiscovering: false)
    adapter.state = state
    adapter.name = name ?? adapter.name
    if state != .up { adapter.isDiscovering = false }
    adapters[id] = adapter
    numbers[id] = numbers[id] ?? numbers.count
    return adapter
  }

  /// Pulls an adapter out. False if there was none.
  mutating func remove(_ id: AdapterID) -> Bool { adapters.removeValue(forKey: id) != nil }
}
