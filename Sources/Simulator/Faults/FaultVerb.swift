/// The commands of fault scripts.
package enum FaultVerb: String, Sendable, CaseIterable {
  case drop, refuse, ignore, mute, delay, vanish, reset, battery, flood, malformed
  case loseWrite = "lose-write"
  case unreadable, truncate
  case clump
  case loseSamples = "lose-samples"
  case doubleSamples = "double-samples"
  case loseEntries = "lose-entries"
  case doubleEntries = "double-entries"
  case damageTicks = "damage-ticks"
  case impossibleValues = "impossible-values"
  case unknownNotifications = "unknown-notifications"
  case foreignHost = "foreign-host"
  case heal, adapter, service

  /// How it is written.
  package var form: String {
    switch self {
    case .drop, .mute, .vanish, .reset, .foreignHost: "\(rawValue) BOARDS"
    case .refuse: "refuse BOARDS [ERROR [TEXT]]"
    case .ignore: "ignore BOARDS \(Self.alternatives(IgnoredCall.self))"
    case .delay, .clump: "\(rawValue) BOARDS DURATION"
    case .battery: "battery BOARDS PERCENT"
    case .flood, .malformed: "\(rawValue) BOARDS COUNT"
    case .loseWrite, .unreadable, .truncate: "\(rawValue) BOARDS MODULE REGISTER [COUNT]"
    case .loseEntries, .doubleEntries, .damageTicks, .loseSamples, .doubleSamples:
      "\(rawValue) BOARDS [COUNT]"
    case .impossibleValues: "\(rawValue) BOARDS \(Self.alternatives(ImpossibleValue.self)) [COUNT]"
    case .unknownNotifications: "\(rawValue) BOARDS RATE"
    case .heal: "heal BOARDS [\(Self.alternatives(LastingFault.Kind.self))]"
    case .adapter: "adapter \(Self.alternatives(AdapterFault.self)) [NUMBER]"
    case .service: "service \(Self.alternatives(ServiceFault.self))"
    }
  }

  /// What it does, in a few words.
  package var meaning: String {
    switch self {
    case .drop: "their connections are lost"
    case .refuse: "Connect fails with this error of BlueZ (Failed le-connection-abort-by-local)"
    case .ignore: "calls of this kind are never answered"
    case .mute: "they accept writes and send nothing"
    case .delay: "what they send arrives so much later"
    case .vanish: "they stop advertising, and their connections are lost"
    case .reset: "they reset"
    case .battery: "their batteries hold so much"
    case .flood: "they send so many notifications at once"
    case .malformed: "they send this many malformed packets"
    case .loseWrite: "writes to this register are acknowledged, and it keeps what it held"
    case .unreadable: "reads of this register are never answered"
    case .truncate: "answers to reads of this register end one byte behind their header"
    case .loseEntries: "packets of a log's read-out are lost, while the notices of their pages arrive"
    case .clump: "what they send arrives in bursts, this far apart"
    case .loseSamples: "one in four packets of a vector stream is lost"
    case .doubleSamples: "one in four packets of a vector stream is duplicated"
    case .doubleEntries: "packets of a log download are duplicated"
    case .damageTicks: "entries of a log's read-out have a wrong time"
    case .impossibleValues: "they send values no sensor can measure"
    case .unknownNotifications: "they send this many well-formed but unknown notifications a second"
    case .foreignHost: "another host was there: its sensors, stream, processor, timer and loggers run"
    case .heal: "clears all lasting faults, or one kind"
    case .adapter:
      "hci0, or the adapter of this number: switched off, blocked, pulled out, back under the next number, back"
    case .service: "bluetoothd dies, and is started again"
    }
  }

  private static func alternatives<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> String
  {
    Choice.allCases.map(\.rawValue).joined(separator: "|")
  }
}
