/// The commands of fault scripts.
package enum FaultVerb: String, Sendable, CaseIterable {
  case drop, refuse, ignore, mute, delay, vanish, reset, battery, flood, malformed, heal, adapter, service

  /// How it is written.
  package var form: String {
    switch self {
    case .drop, .mute, .vanish, .reset: "\(rawValue) BOARDS"
    case .refuse: "refuse BOARDS [ERROR [TEXT]]"
    case .ignore: "ignore BOARDS \(Self.alternatives(IgnoredCall.self))"
    case .delay: "delay BOARDS DURATION"
    case .battery: "battery BOARDS PERCENT"
    case .flood, .malformed: "\(rawValue) BOARDS COUNT"
    case .heal: "heal BOARDS [\(Self.alternatives(Ailment.Kind.self))]"
    case .adapter: "adapter \(Self.alternatives(AdapterFault.self))"
    case .service: "service \(Self.alternatives(ServiceFault.self))"
    }
  }

  /// What it does, in a few words.
  package var meaning: String {
    switch self {
    case .drop: "the radio loses their links"
    case .refuse: "Connect fails with this error of BlueZ (Failed le-connection-abort-by-local)"
    case .ignore: "calls of this kind are never answered"
    case .mute: "they take what is written and send nothing"
    case .delay: "what they send arrives so much later"
    case .vanish: "they are off the air, and their links are lost"
    case .reset: "their processors start anew"
    case .battery: "their batteries hold so much"
    case .flood: "they send so many notifications at once"
    case .malformed: "they send so many packets that make no sense"
    case .heal: "ends refuse, ignore, mute, delay and vanish, or one of them"
    case .adapter: "switched off, blocked, pulled out, back under the next number, back"
    case .service: "bluetoothd dies, and is started again"
    }
  }

  private static func alternatives<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> String
  {
    Choice.allCases.map(\.rawValue).joined(separator: "|")
  }
}
