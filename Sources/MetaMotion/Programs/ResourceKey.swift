import FleetModel

/// Something on the board that we want, by our own name for it.
enum ResourceKey: Hashable, Sendable {
  /// Of a chain, by its place.
  case processor(String, Int)
  case timer(String)
  /// Of a timer's ticks or an event's actions, by the place of the packet.
  case event(String, Int)
  /// Of what is logged, by the place of its bytes.
  case logger(String, Int)

  enum Kind: String, Sendable, CaseIterable { case processors, timers, events, loggers }

  var kind: Kind {
    switch self {
    case .processor: .processors
    case .timer: .timers
    case .event: .events
    case .logger: .loggers
    }
  }

  /// The name it was given.
  var ownName: String {
    switch self {
    case .processor(let name, _), .timer(let name), .event(let name, _), .logger(let name, _): name
    }
  }

  /// What of a profile it belongs to, as differences say it (MQTT contract 1.5): what ticks do is the timer's.
  var words: String {
    switch self {
    case .processor(let name, _): "process/\(name)"
    case .timer(let name): Self.words(timer: name)
    case .event(let name, _):
      name.hasPrefix(ProgramCompiler.ticks(of: ""))
        ? Self.words(timer: String(name.dropFirst(ProgramCompiler.ticks(of: "").count))) : "events/\(name)"
    case .logger(let name, _): "log/\(name)"
    }
  }

  /// What reads for a logger is part of what is logged.
  private static func words(timer name: String) -> String {
    LogCompiler.logged(byTimer: name).map { "log/\($0)" } ?? "timers/\(name)"
  }
}

/// Which slots hold what we want.
///
/// Ours is what we created and remember to have created. Where others made the same before us, we use theirs: it is
/// borrowed, and stays when we no longer want it.
struct ResourceSlots: Hashable, Sendable {
  var byKey: [ResourceKey: UInt8] = [:]
  /// Of `byKey`, what others made.
  private(set) var borrowed: Set<ResourceKey> = []

  /// The slot of what is wanted. What is set is ours.
  subscript(key: ResourceKey) -> UInt8? {
    get { byKey[key] }
    set {
      byKey[key] = newValue
      borrowed.remove(key)
    }
  }

  /// Uses what others put into a slot.
  mutating func borrow(_ key: ResourceKey, in slot: UInt8) {
    byKey[key] = slot
    borrowed.insert(key)
  }

  /// Takes what a comparison with the board found to be there; what was borrowed and is not wanted is given back.
  mutating func take(_ kept: ResourceSlots) {
    for key in borrowed where kept.byKey[key] == nil { self[key] = nil }
    for (key, slot) in kept.byKey {
      if kept.borrowed.contains(key) { borrow(key, in: slot) } else { self[key] = slot }
    }
  }

  /// Whether we made what stands in the slot of `key`, and it is that slot.
  func owns(_ key: ResourceKey, in slot: UInt8) -> Bool { byKey[key] == slot && !borrowed.contains(key) }

  /// What of it is ours.
  var own: [ResourceKey: UInt8] { byKey.filter { !borrowed.contains($0.key) } }

  /// What of ours stands in a slot; nil for what is others' or empty.
  func key(of kind: ResourceKey.Kind, in slot: UInt8) -> ResourceKey? {
    own.filter { $0.key.kind == kind && $0.value == slot }.map(\.key).min { $0.words < $1.words }
  }

  /// The slot of a chain's last processor; nil for a name that is none's.
  func lastProcessor(of chain: String) -> UInt8? {
    let places = byKey.compactMap { key, slot -> (place: Int, slot: UInt8)? in
      if case .processor(chain, let place) = key { (place, slot) } else { nil }
    }
    return places.max { $0.place < $1.place }?.slot
  }

  /// There is no chain of that name.
  func missing(chain: String) -> CommandFailure {
    let names = byKey.keys.compactMap { if case .processor(let name, _) = $0 { name } else { nil } }
    return .invalid(Suggestion.missing("chain", chain, among: Set(names)))
  }

  /// There is no timer of that name.
  func missing(timer: String) -> CommandFailure {
    let names = byKey.keys.compactMap { if case .timer(let name) = $0 { name } else { nil } }
    return .invalid(Suggestion.missing("timer", timer, among: names))
  }

  /// Our slots of one kind.
  func slots(of kind: ResourceKey.Kind) -> Set<UInt8> {
    Set(own.filter { $0.key.kind == kind }.map(\.value))
  }
}
