import FleetModel

/// What a new configuration changes, and what of it a running gateway cannot take (MQTT contract 7, L and N).
enum ConfigurationChange {
  /// The sections that differ: those that were applied, and those that need a restart.
  static func between(
    _ old: FleetConfiguration, _ new: FleetConfiguration
  ) -> (changed: [String], needsRestart: [String]) {
    var changed: [String] = []
    var needsRestart: [String] = []
    func compare<Value: Equatable>(_ path: KeyPath<FleetConfiguration, Value>, _ name: String, live: Bool) {
      guard old[keyPath: path] != new[keyPath: path] else { return }
      if live { changed.append(name) } else { needsRestart.append(name) }
    }
    compare(\.gateway.id, "gateway.id", live: false)
    compare(\.gateway.site, "gateway.site", live: true)
    compare(\.mqtt, "mqtt", live: false)
    compare(\.storage, "storage", live: false)
    compare(\.lanes, "lanes", live: false)
    compare(\.bluetooth, "bluetooth", live: false)
    compare(\.schedules, "schedules", live: false)
    compare(\.commands, "commands", live: true)
    compare(\.log, "log", live: false)
    compare(\.admission, "admission", live: true)
    compare(\.profiles, "profiles", live: true)
    compare(\.boards, "boards", live: true)
    return (changed, needsRestart)
  }

  /// Puts back what only a restart can change, so that the gateway's picture of itself stays true.
  static func keepWhatNeedsRestart(of old: FleetConfiguration, in new: inout FleetConfiguration) {
    new.gateway.id = old.gateway.id
    new.mqtt = old.mqtt
    new.storage = old.storage
    new.lanes = old.lanes
    new.bluetooth = old.bluetooth
    new.schedules = old.schedules
    new.log = old.log
  }
}
