import FleetModel
import Storage

/// Which alarms stand, since when, and which of them somebody has acknowledged. Pure; it is told what was found, and
/// what earlier runs of the gateway knew.
struct AlarmBook: Sendable {
  /// What must be over for so long before an alarm ends: what comes and goes is one alarm (fault F178).
  static let recovery = Duration.seconds(60)

  private struct Entry: Sendable {
    var alarm: Alarm
    /// When this run found it first, by uptime; nil where an earlier one did.
    var begun: Duration?
    /// Whether this run found it at all.
    var isConfirmed = false
    /// Since when it was not found any more, by uptime.
    var missing: Duration?
  }

  private var current: [Alarm.ID: Entry] = [:]
  /// What was found and is no alarm yet: since when, by uptime.
  private var pending: [Alarm.ID: Duration] = [:]
  /// As the disk has them.
  private var kept: [Alarm.ID: KeptAlarm] = [:]

  init() {}

  /// As earlier runs left them (fault F179).
  mutating func restore(_ kept: [KeptAlarm]) {
    for row in kept {
      guard let id = Alarm.ID(row.id) else { continue }
      var alarm = Alarm(id, since: row.since, sentence: row.sentence, name: row.name)
      alarm.acknowledgement = row.acknowledged.map { Alarm.Acknowledgement(at: $0, by: row.acknowledgedBy) }
      self.kept[id] = row
      if current[id] == nil { current[id] = Entry(alarm: alarm) }
    }
  }

  /// All that stand, in no order.
  var alarms: [Alarm] { current.values.map(\.alarm) }

  /// Takes what was found at a time, and an uptime.
  mutating func take(_ found: AlarmFindings, at now: Timestamp, uptime: Duration) {
    for (id, finding) in found.all {
      switch finding {
      case .present(let detail): present(id, detail, now, uptime)
      case .unclear:
        pending[id] = nil
        current[id]?.missing = nil
      }
    }
    pending = pending.filter { found[$0.key] != nil }
    for (id, entry) in current where found[id] == nil {
      let missing = entry.missing ?? uptime
      // A gateway that just started does not have all its boards yet.
      let isGone = entry.isConfirmed && !found.subjects.contains(id.subject)
      let isOver = isGone || uptime - missing >= Self.recovery
      if isOver { current[id] = nil } else { current[id]?.missing = missing }
    }
  }

  private mutating func present(
    _ id: Alarm.ID, _ detail: AlarmFinding.Detail, _ now: Timestamp, _ uptime: Duration
  ) {
    let begun = pending[id] ?? uptime
    if current[id] == nil {
      guard uptime - begun >= id.code.delay else { return pending[id] = begun }
      let alarm = Alarm(id, since: now - (uptime - begun), sentence: detail.sentence)
      current[id] = Entry(alarm: alarm, begun: begun)
    }
    pending[id] = nil
    current[id]?.isConfirmed = true
    current[id]?.missing = nil
    current[id]?.alarm.sentence = detail.sentence
    current[id]?.alarm.name = detail.name
    current[id]?.alarm.reason = detail.reason
    date(id, now, uptime)
  }

  /// A time that a clock told which nobody had set, or that was ahead, is worked out anew.
  private mutating func date(_ id: Alarm.ID, _ now: Timestamp, _ uptime: Duration) {
    guard let entry = current[id], now.isPlausible,
      !entry.alarm.since.isPlausible || entry.alarm.since > now
    else { return }
    current[id]?.alarm.since = entry.begun.map { now - (uptime - $0) } ?? now
  }

  /// Acknowledges what `request` names. Returns what stands of it, in order; `new` was not acknowledged before.
  mutating func acknowledge(
    _ request: AlarmAcknowledgement, by who: String?, at now: Timestamp
  ) -> (named: [Alarm.ID], new: [Alarm.ID]) {
    let named = current.keys.filter(request.names).sorted { $0.description < $1.description }
    let new = named.filter { current[$0]?.alarm.acknowledgement == nil }
    for id in new { current[id]?.alarm.acknowledgement = Alarm.Acknowledgement(at: now, by: who) }
    return (named, new)
  }

  /// Takes an acknowledgement back: it could not be kept.
  mutating func withdraw(_ ids: [Alarm.ID]) {
    for id in ids { current[id]?.alarm.acknowledgement = nil }
  }

  // What the disk has of it.

  /// What has to be written, and what to be deleted, for the disk to have what stands here.
  var unsaved: (rows: [KeptAlarm], gone: [Alarm.ID]) {
    let rows = current.values.map { KeptAlarm($0.alarm) }.filter { row in
      Alarm.ID(row.id).flatMap { kept[$0] }.map { !$0.isAlike(row) } ?? true
    }
    return (rows.sorted { $0.id < $1.id }, kept.keys.filter { current[$0] == nil })
  }

  /// It has it now.
  mutating func wrote(_ rows: [KeptAlarm], gone: [Alarm.ID]) {
    for row in rows { if let id = Alarm.ID(row.id) { kept[id] = row } }
    for id in gone { kept[id] = nil }
  }
}

extension KeptAlarm {
  init(_ alarm: Alarm) {
    self.init(id: alarm.id.description, since: alarm.since, sentence: alarm.sentence)
    name = alarm.name
    acknowledged = alarm.acknowledgement?.time
    acknowledgedBy = alarm.acknowledgement?.who
  }

  /// Whether it says the same of what must not be forgotten; sentences may wait for the next look after a start.
  func isAlike(_ other: KeptAlarm) -> Bool {
    since == other.since && acknowledged == other.acknowledged && acknowledgedBy == other.acknowledgedBy
  }
}
