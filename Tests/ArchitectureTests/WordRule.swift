/// Older words that the glossary (`deploy/docs/glossary.md`) replaces do not come back: neither as part of a name nor
/// in what is said to people. Comments are left to reviews.
enum WordRule {
  /// The word of each older word, in lower case; plurals by themselves.
  static let older: [String: String] = [
    "ailment": "lasting fault", "airtime": "connection scheduler", "beat": "tick", "beats": "tick",
    "bell": "waker", "deed": "action", "deeds": "actions", "desk": "dispatcher",
    "distrust": "invalidate", "duties": "due work", "duty": "due work", "farewell": "offline message",
    "feeding": "consumer", "goodbye": "disconnect", "grantee": "slot waiter",
    "grantees": "slot waiters", "happening": "event", "happenings": "events", "heartbeat": "ticker",
    "household": "maintenance", "keeper": "reconciler or context", "keepers": "contexts",
    "leftovers": "stale subscriptions", "lifeline": "lifetime pipe", "mischief": "random faults",
    "mishap": "board fault", "news": "report, change or progress", "owes": "pending changes",
    "patience": "time-out", "patient": "queued", "punctuality": "stall detector",
    "relaxation": "conservative parameters", "relaxes": "requests conservative parameters",
    "resting": "backing off", "settle": "acknowledge, complete or reconcile",
    "settled": "acknowledged, complete or applied", "settles": "acknowledges",
    "settling": "acknowledging", "sighted": "advertised", "sighting": "advertisement",
    "sightings": "advertisements", "spared": "exempt", "standing": "status",
    "steered": "controlled on the device", "steers": "controls",
    "stranger": "unknown target", "strangers": "discovered boards", "suffer": "apply",
    "unkept": "unpersisted", "unsettled": "incomplete", "wish": "desired", "wishes": "desired",
  ]

  /// Where an older word stays, and why.
  struct Allowance {
    let word: String
    /// Relative to `Sources`.
    let file: String
    let reason: String
  }

  static let allowances = [
    Allowance(
      word: "duty", file: "FleetModel/Catalogue/Verbs/HapticVerb.swift", reason: "the duty cycle of a PWM"),
    Allowance(word: "duty", file: "MetaMotion/Outputs/Haptic.swift", reason: "the duty cycle of a PWM"),
    Allowance(
      word: "duty", file: "MetaMotion/Explain/OutputMeanings.swift", reason: "the duty cycle of a PWM"),
    Allowance(
      word: "duty", file: "Simulator/MetaMotionFirmware/Modules/HapticModule.swift",
      reason: "the duty cycle of a PWM"),
    Allowance(
      word: "resting", file: "Simulator/MetaMotionFirmware/Physics/Motion.swift",
      reason: "a board that lies still, which physics calls at rest"),
    Allowance(word: "settled", file: "Storage/OutboxArchive.swift", reason: "the column settled_ns"),
    Allowance(word: "settled", file: "Storage/OutboxQuery.swift", reason: "the column settled_ns"),
    Allowance(word: "settled", file: "Storage/OutboxTable.swift", reason: "the column settled_ns"),
    Allowance(word: "settled", file: "Storage/Schema.swift", reason: "the column settled_ns"),
    Allowance(word: "settled", file: "Storage/UnsetClock.swift", reason: "the column settled_ns"),
    Allowance(
      word: "settled", file: "metafleet/Clients/ClientSession.swift",
      reason: "the topic cli/settled, whose answer says that retained messages are complete"),
  ]

  static func violations(in files: [SourceFile], allowed: [Allowance]) -> [Violation] {
    var unused = Set(allowed.indices)
    var found: [Violation] = []
    for file in files {
      for word in words(of: file).filter({ older[$0] != nil }).sorted() {
        if let index = allowed.firstIndex(where: { $0.word == word && "Sources/\($0.file)" == file.path }) {
          unused.remove(index)
        } else {
          found.append(
            Violation(file.path, "says \(word); the glossary's word is \(older[word, default: "another"])"))
        }
      }
    }
    return found
      + unused.sorted().map {
        Violation("Sources/\(allowed[$0].file)", "may say \(allowed[$0].word) and does not any more")
      }
  }

  /// All words of names and literals, in lower case.
  static func words(of file: SourceFile) -> Set<String> {
    let texts = Set(file.code.map(\.text)).union(file.literals)
    return Set(texts.flatMap(parts))
  }

  /// `dutyAlarm` is duty and alarm, `RSSIReading` RSSI and reading.
  static func parts(of text: String) -> [String] {
    text.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/).map { $0.output.lowercased() }
  }
}
