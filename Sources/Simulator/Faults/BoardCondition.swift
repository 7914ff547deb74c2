/// Everything a board suffers from at the moment.
struct BoardCondition: Hashable, Sendable {
  var refusal: (name: String, text: String)? {
    for case .refused(let name, let text) in ailments { return (name, text) }
    return nil
  }

  var isMute: Bool { ailments.contains(.mute) }
  var isVanished: Bool { ailments.contains(.vanished) }

  var delay: Duration {
    for case .delayed(let delay) in ailments { return delay }
    return .zero
  }

  /// When what is sent now arrives.
  func arrival(of now: Duration) -> Duration {
    let late = now + delay
    for case .clumped(let span) in ailments where span > .zero {
      return span * Double(Int64((late / span).rounded(.up)))
    }
    return late
  }

  private var ailments: Set<Ailment> = []

  var isWell: Bool { ailments.isEmpty }

  func ignores(_ call: IgnoredCall) -> Bool { ailments.contains(.ignored(call)) }

  /// Of each kind the newest counts; ignored calls add up.
  mutating func suffer(_ ailment: Ailment) {
    if ailment.kind != .ignore { heal(ailment.kind) }
    ailments.insert(ailment)
  }

  mutating func heal(_ kind: Ailment.Kind?) {
    ailments = ailments.filter { kind != nil && $0.kind != kind }
  }
}
