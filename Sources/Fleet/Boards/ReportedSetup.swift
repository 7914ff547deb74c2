import FleetModel

/// What a board is known to have applied of its desired setup, and what it cannot have (MQTT contract 1.5).
///
/// Kept by what was wanted, too: a threshold that the board rounds to its own steps is what was wanted all the same.
struct ReportedSetup: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var wanted: JSONValue
    /// With the values that the board uses.
    var effective: JSONValue
  }

  private var entries: [SetupKey: Entry] = [:]
  /// What the board cannot have, and why.
  private(set) var refused: [SetupKey: CommandFailure] = [:]
  /// What was asked for that it cannot have, as far as that is known; not kept on disk.
  private var refusedValues: [SetupKey: JSONValue] = [:]
  /// What is otherwise than wanted for as long as the link is made sturdier on purpose.
  private(set) var exempt: Set<SetupKey> = []

  /// What was written and could not be read back: nobody knows whether the board holds it, so that it is not in sync.
  private(set) var unverified: Set<SetupKey> = []
  /// Streams that were started and of which no sample came yet; not kept on disk.
  private(set) var awaited: Set<SetupKey> = []
  /// Streams that bring nothing, and what is known of it; not kept on disk.
  private(set) var silent: [SetupKey: CommandFailure] = [:]

  /// Why the board does not log although it has its loggers; not kept on disk.
  private(set) var logFailure: CommandFailure?

  init() {}

  /// Takes what came of bringing the board to `wanted` in some sections: `effective` is what it holds now.
  mutating func take(
    _ sections: Set<SetupKey.Section>, wanted: SetupDeclaration, effective: SetupDeclaration,
    refused: [SetupKey: CommandFailure] = [:], exempt: Set<SetupKey> = [], unverified: Set<SetupKey> = []
  ) {
    entries = entries.filter { !sections.contains($0.key.section) }
    self.refused = self.refused.filter { !sections.contains($0.key.section) }.merging(refused) { $1 }
    refusedValues = refusedValues.filter { !sections.contains($0.key.section) }
    for key in refused.keys { refusedValues[key] = wanted[key] }
    self.exempt = self.exempt.filter { !sections.contains($0.section) }.union(exempt)
    self.unverified = self.unverified.filter { !sections.contains($0.section) }.union(unverified)
    for key in wanted.keys where sections.contains(key.section) && refused[key] == nil {
      guard let value = wanted[key], let effective = effective[key] else { continue }
      entries[key] = Entry(wanted: value, effective: Self.report(effective, of: value))
    }
  }

  /// Takes how far the streams on the board are proved by what came of them.
  mutating func take(_ verification: StreamVerification) {
    func keys(_ names: some Sequence<String>) -> Set<SetupKey> {
      Set(names.map { SetupKey(.stream, $0) }).filter { entries[$0] != nil }
    }
    unverified = unverified.filter { $0.section != .stream }.union(keys(verification.unverified))
    awaited = keys(verification.awaited)
    silent = [:]
    for key in keys(verification.failures.keys) { silent[key] = verification.failures[key.name] }
  }

  /// Logging was ordered: the board logs, or says why it does not.
  mutating func logStarted(_ failure: CommandFailure?) { logFailure = failure }

  /// The values in effect as they are reported: `auto` stays `auto`, whatever value was chosen for it, and a value that
  /// the board does not tell is the wanted one.
  private static func report(_ effective: JSONValue, of wanted: JSONValue) -> JSONValue {
    guard let members = wanted.object, let values = effective.object else { return effective }
    return .object(
      JSONObject(members.merging(values).members.map { ($0, members[$0] == "auto" ? "auto" : $1) }))
  }

  /// The board was reset and holds nothing any more. What it cannot have it can have no more than before.
  mutating func boardReset() {
    entries = [:]
    exempt = []
    (unverified, awaited, silent, logFailure) = ([], [], [:], nil)
  }

  /// What is known to be on the board, with the values it uses.
  var reported: SetupDeclaration {
    var setup = SetupDeclaration()
    for (key, entry) in entries { setup[key] = entry.effective }
    return setup
  }

  /// What was wanted of what is on the board.
  var met: SetupDeclaration {
    var setup = SetupDeclaration()
    for (key, entry) in entries { setup[key] = entry.wanted }
    return setup
  }

  /// The sensors that run for us: of streams, of what is logged, and of those of our chains that are on the board.
  /// Those that were begun and did not start as desired are ours as well.
  func sensors(of program: BoardProgram) -> [StreamRequest] {
    let begun = refusedValues.filter { refused[$0.key]?.code == .boardError }
    let known = entries.mapValues(\.effective).merging(begun) { effective, _ in effective }
    let streams = known.sorted { $0.key < $1.key }.compactMap { key, value -> StreamRequest? in
      guard let configuration = value.object else { return nil }
      switch key.section {
      case .stream: return StreamRequest(name: key.name, configuration: configuration)
      case .log: return StreamRequest(name: key.name, configuration: configuration, consumer: .log)
      default: return nil
      }
    }
    let needed = program.sensors.filter { sensor in
      sensor.consumer?.chain.map { entries[SetupKey(.process, $0)] != nil } ?? false
    }
    return streams + needed
  }

  /// Whether the board was brought to just that.
  func holds(_ key: SetupKey, as wanted: SetupDeclaration) -> Bool {
    entries[key].map { $0.wanted == wanted[key] } ?? false
  }

  /// What the board does not do of what is wanted, and what it does besides, in words. A setting that is no longer
  /// wanted stays until the next reset, and is no difference; nor are streams whose first sample is awaited, where that
  /// is no news.
  func differences(from desired: SetupDeclaration, countingAwaited: Bool = true) -> [String] {
    let wanted = desired.keys.compactMap { key -> (SetupKey, String)? in
      if holds(key, as: desired) {
        let isDue = countingAwaited || !awaited.contains(key)
        return isDue ? doubt(of: key).map { (key, $0) } : nil
      }
      if exempt.contains(key) { return (key, "overridden for a more robust connection") }
      return (key, entries[key] == nil ? "missing" : "different")
    }
    let surplus = entries.keys.filter { $0.section != .settings && desired[$0] == nil }.map {
      ($0, "surplus")
    }
    return (wanted + surplus).sorted { $0.0 < $1.0 }.map { "\($0.0.text) \($0.1)" }
  }

  /// What keeps the board from being in sync in one key, in a word.
  private func doubt(of key: SetupKey) -> String? {
    if silent[key] != nil { return "silent" }
    if key.section == .log, logFailure != nil { return "off" }
    if awaited.contains(key) { return "awaited" }
    return unverified.contains(key) ? "unverified" : nil
  }

  /// Whether something is desired that the board has not applied yet, and could.
  func hasPendingChanges(_ desired: SetupDeclaration) -> Bool {
    desired.keys.contains { !holds($0, as: desired) && refused[$0] == nil }
      || entries.keys.contains { $0.section != .settings && desired[$0] == nil }
  }

  /// What changed since `old`, in words.
  func changes(since old: ReportedSetup) -> [String] {
    Set(entries.keys).union(old.entries.keys).sorted().compactMap { key in
      switch (old.entries[key], entries[key]) {
      case (nil, _?): "\(key.text) added"
      case (_?, nil): exempt.contains(key) ? nil : "\(key.text) removed"
      case (let before?, let now?): before.wanted == now.wanted ? nil : "\(key.text) changed"
      case (nil, nil): nil
      }
    }
  }

  /// Why the board does not have all that is wanted; nil when it does.
  var error: StatedReason? {
    var failures = refused.merging(silent) { refused, _ in refused }
    for key in entries.keys where key.section == .log { failures[key] = failures[key] ?? logFailure }
    guard !failures.isEmpty else { return nil }
    let sentences = failures.sorted { $0.key < $1.key }.map { "\($0.key.text): \($0.value.message)" }
    return StatedReason(ReasonCode(refusals: failures.values.map(\.code)), sentences.joined(separator: "; "))
  }

  /// Whether it cannot have other things than `old`, or for other reasons; how they are worded is no matter.
  func isRefusedOtherwise(than old: ReportedSetup) -> Bool {
    refused.mapValues(\.code) != old.refused.mapValues(\.code)
      || refusedValues.contains { old.refusedValues[$0.key] ?? $0.value != $0.value }
  }
}

/// As kept on disk.
extension ReportedSetup {
  /// By the words of the keys.
  var document: JSONObject {
    func object(_ pairs: [(SetupKey, JSONValue)]) -> JSONValue {
      .object(JSONObject(pairs.sorted { $0.0 < $1.0 }.map { ($0.0.text, $0.1) }))
    }
    return [
      "wanted": object(entries.map { ($0.key, $0.value.wanted) }),
      "effective": object(
        entries.filter { $0.value.effective != $0.value.wanted }.map { ($0.key, $0.value.effective) }),
      "refused": object(
        refused.map {
          ($0.key, ["code": .string($0.value.code.rawValue), "message": .string($0.value.message)])
        }),
      "unverified": .array(unverified.sorted().map { .string($0.text) }),
    ]
  }

  /// Reads what was kept.
  init(document: JSONObject) {
    let effective = document["effective"]?.object
    for (text, wanted) in document["wanted"]?.object?.members ?? [] {
      guard let key = SetupKey(text: text) else { continue }
      entries[key] = Entry(wanted: wanted, effective: effective?[text] ?? wanted)
    }
    unverified = Set(
      (document["unverified"]?.array ?? []).compactMap { $0.string.flatMap { SetupKey(text: $0) } })
    for (text, kept) in document["refused"]?.object?.members ?? [] {
      guard let key = SetupKey(text: text) else { continue }
      // Earlier versions kept the sentence alone.
      let code = kept.object?["code"]?.string.flatMap(CommandFailure.Code.init)
      guard let message = kept.object?["message"]?.string ?? kept.string else { continue }
      refused[key] = CommandFailure(code ?? .internal, message)
    }
  }
}
