import BoardKit
import FleetModel

/// Who waits for what becomes of devices.
struct DeviceWatchers: Sendable {
  private var bells: [DeviceKey: [Bell]] = [:]

  /// `bell` is rung with every change of the device until it is removed.
  mutating func add(_ bell: Bell, for key: DeviceKey) { bells[key, default: []].append(bell) }

  mutating func remove(_ bell: Bell, for key: DeviceKey) {
    bells[key]?.removeAll { $0 === bell }
    if bells[key]?.isEmpty == true { bells[key] = nil }
  }

  func ring(_ key: DeviceKey) { for bell in bells[key] ?? [] { bell.ring() } }

  func ring(_ adapter: AdapterID) { for key in bells.keys where key.adapter == adapter { ring(key) } }
}
