import FleetModel

/// What a look at the facts says of one alarm.
enum AlarmFinding: Hashable, Sendable {
  /// It is so.
  case present(Detail)
  /// It can be neither said nor denied: a value between two thresholds, or one that nobody has read yet. An alarm that
  /// stands stays, and none begins.
  case unclear

  /// What is said of it.
  struct Detail: Hashable, Sendable {
    var sentence: String
    var name: String?
    var reason: ReasonCode?

    init(_ sentence: String, name: String? = nil, reason: ReasonCode? = nil) {
      (self.sentence, self.name, self.reason) = (sentence, name, reason)
    }
  }
}

/// All that a look says: what is not found is not so.
struct AlarmFindings: Hashable, Sendable {
  private(set) var all: [Alarm.ID: AlarmFinding] = [:]
  /// Whom it was looked at. What stood of others ends at once: they are no longer there, or in maintenance.
  private(set) var subjects: Set<Alarm.Subject> = [.gateway]

  subscript(id: Alarm.ID) -> AlarmFinding? { all[id] }

  mutating func look(at subject: Alarm.Subject) { subjects.insert(subject) }

  mutating func present(
    _ code: AlarmCode, of subject: Alarm.Subject = .gateway, _ sentence: String, name: String? = nil,
    reason: ReasonCode? = nil
  ) {
    all[Alarm.ID(code, subject)] = .present(.init(sentence, name: name, reason: reason))
  }

  mutating func unclear(_ code: AlarmCode, of subject: Alarm.Subject = .gateway) {
    all[Alarm.ID(code, subject)] = .unclear
  }
}
