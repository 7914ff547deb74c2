/// Something on the board that we want, by our own name for it.
enum ResourceKey: Hashable, Sendable {
  /// Of a chain, by its place.
  case processor(String, Int)
  case timer(String)
  /// Of a timer's ticks or an event's actions, by the place of the packet.
  case event(String, Int)

  enum Kind: String, Sendable, CaseIterable { case processors, timers, events }

  var kind: Kind {
    switch self {
    case .processor: .processors
    case .timer: .timers
    case .event: .events
    }
  }

  /// The name it was given, with its kind, as differences say it (MQTT contract 1.5).
  var words: String {
    switch self {
    case .processor(let name, _): "process/\(name)"
    case .timer(let name): "timer/\(name)"
    case .event(let name, _): "event/\(name)"
    }
  }
}

/// Which slots hold what is ours.
struct ResourceSlots: Hashable, Sendable {
  var byKey: [ResourceKey: UInt8] = [:]

  subscript(key: ResourceKey) -> UInt8? {
    get { byKey[key] }
    set { byKey[key] = newValue }
  }

  /// Our slots of one kind.
  func slots(of kind: ResourceKey.Kind) -> Set<UInt8> {
    Set(byKey.filter { $0.key.kind == kind }.map(\.value))
  }
}
