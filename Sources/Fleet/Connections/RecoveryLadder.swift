import FleetModel

/// What is done about adapters, and about bluetoothd, that do not work although they should: one rung after the other,
/// each at most so often (fault matrix, section 4, rungs 6 to 9; restarting a scan, rung 4, is the radio's own). An
/// adapter over which a board delivers is not disturbed (invariant I20). Pure; times are uptimes.
struct RecoveryLadder: Sendable {
  enum Rung: Hashable, Sendable {
    /// Off and on again.
    case power(AdapterID)
    /// The system's Bluetooth service anew.
    case bluetoothd
    /// Off the USB and on again.
    case usb(AdapterID)
    /// Everything was tried: a person is needed. Nil: with bluetoothd.
    case exhausted(AdapterID?)
  }

  /// Who is helped: an adapter, or bluetoothd where nil; and what was tried since it began to need help.
  private struct Spell: Sendable {
    var tried: Set<Rung> = []
    var last: Duration?
  }

  /// Something has to be wrong for so long before the first rung, and after each.
  static let grace = Duration.seconds(30)
  /// bluetoothd gets longer: systemd restarts it by itself, too.
  static let serviceGrace = Duration.seconds(60)
  /// From one attempt to the next, of one adapter or of bluetoothd.
  static let powerInterval = Duration.seconds(600)
  static let privilegedInterval = Duration.seconds(1_800)
  /// Resets of one adapter's USB device in a day.
  static let usbResetsPerDay = 3
  private static let day = Duration.seconds(86_400)

  private var spells: [AdapterID?: Spell] = [:]
  /// When each rung was climbed last, and the last few times.
  private var climbed: [Rung: [Duration]] = [:]

  /// The next rung to climb, if any; it counts as climbed. `delivering`: adapters over which a board delivered lately.
  mutating func next(
    _ symptoms: RecoverySymptoms, delivering: Set<AdapterID>, at now: Duration
  ) -> Rung? {
    let ailing = symptoms.ailing
    let helped = Set<AdapterID?>(ailing.map(\.adapter)).union(symptoms.serviceLost == nil ? [] : [nil])
    spells = spells.filter { helped.contains($0.key) }
    if let since = symptoms.serviceLost {
      let rungs: [Rung] = delivering.isEmpty ? [.bluetoothd, .exhausted(nil)] : [.exhausted(nil)]
      return climb(rungs, for: nil, since: since, Self.serviceGrace, at: now)
    }
    for one in ailing where !delivering.contains(one.adapter) {
      let rungs: [Rung] =
        [.power(one.adapter)] + (delivering.isEmpty ? [.bluetoothd] : [])
        + [.usb(one.adapter), .exhausted(one.adapter)]
      if let rung = climb(rungs, for: one.adapter, since: one.since, Self.grace, at: now) { return rung }
    }
    return nil
  }

  private mutating func climb(
    _ rungs: [Rung], for adapter: AdapterID?, since: Duration, _ grace: Duration, at now: Duration
  ) -> Rung? {
    var spell = spells[adapter] ?? Spell()
    defer { spells[adapter] = spell }
    guard now - (spell.last ?? since) >= grace else { return nil }
    // All were tried: begun anew when each may be tried again.
    if spell.tried.contains(.exhausted(adapter)) {
      guard now - (spell.last ?? since) >= Self.privilegedInterval else { return nil }
      spell = Spell()
    }
    // What was tried a short while ago did not help for long: the next one.
    let next = rungs.first { !spell.tried.contains($0) && mayClimb($0, at: now) }
    guard let next else { return nil }
    spell.tried.insert(next)
    spell.last = now
    let times = climbed[next, default: []].filter { now - $0 < Self.day } + [now]
    climbed[next] = times
    return next
  }

  private func mayClimb(_ rung: Rung, at now: Duration) -> Bool {
    let times = climbed[rung, default: []].filter { now - $0 < Self.day }
    guard let last = times.last else { return true }
    return switch rung {
    case .power: now - last >= Self.powerInterval
    case .bluetoothd: now - last >= Self.privilegedInterval
    case .usb: now - last >= Self.privilegedInterval && times.count < Self.usbResetsPerDay
    case .exhausted: true
    }
  }
}
