import FleetModel

/// What of the radio does not work although it should, and since when. Pure; times are uptimes.
struct RecoverySymptoms: Hashable, Sendable {
  /// Why an adapter needs help, as events tell it.
  enum Cause: String, Sendable {
    /// Its scan receives nothing, also after it was restarted.
    case silent
    /// It stays off, and no radio switch blocks it.
    case down
  }

  /// An adapter that needs help.
  struct Ailing: Hashable, Sendable {
    var adapter: AdapterID
    var cause: Cause
    var since: Duration
  }

  /// Since when bluetoothd is not there or does not answer.
  private(set) var serviceLost: Duration?
  private var silent: [AdapterID: Duration] = [:]
  private var down: [AdapterID: Duration] = [:]

  /// Those that need help, in their order. Without bluetoothd nothing is known of them.
  var ailing: [Ailing] {
    guard serviceLost == nil else { return [] }
    let all =
      down.map { Ailing(adapter: $0.key, cause: .down, since: $0.value) }
      + silent.filter { down[$0.key] == nil }.map {
        Ailing(adapter: $0.key, cause: .silent, since: $0.value)
      }
    return all.sorted { $0.adapter < $1.adapter }
  }

  /// Whether the scan of an adapter receives nothing, also after it was restarted.
  func isSilent(_ adapter: AdapterID) -> Bool {
    serviceLost == nil && down[adapter] == nil && silent[adapter] != nil
  }

  mutating func service(isAvailable: Bool, at now: Duration) {
    serviceLost = isAvailable ? nil : serviceLost ?? now
    if !isAvailable { (silent, down) = ([:], [:]) }
  }

  /// An adapter is down though it should be up, or is well or gone.
  mutating func adapter(_ adapter: AdapterID, isDown: Bool, at now: Duration) {
    down[adapter] = isDown ? down[adapter] ?? now : nil
    if isDown { silent[adapter] = nil }
  }

  /// Its scan was restarted because it received nothing.
  mutating func scanRestarted(_ adapter: AdapterID, at now: Duration) {
    silent[adapter] = silent[adapter] ?? now
  }

  /// An advertisement came over it, or it is gone.
  mutating func notSilent(_ adapter: AdapterID) { silent[adapter] = nil }
}
