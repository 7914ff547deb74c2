/// The faults a board has at the moment.
struct ActiveFaults: Hashable, Sendable {
  var refusal: (name: String, text: String)? {
    for case .refused(let name, let text) in active { return (name, text) }
    return nil
  }

  var isMute: Bool { active.contains(.mute) }
  var isVanished: Bool { active.contains(.vanished) }
  var isStale: Bool { active.contains(.stale) }

  var delay: Duration {
    for case .delayed(let delay) in active { return delay }
    return .zero
  }

  /// When what is sent now arrives.
  func arrival(of now: Duration) -> Duration {
    let late = now + delay
    for case .clumped(let span) in active where span > .zero {
      return span * Double(Int64((late / span).rounded(.up)))
    }
    return late
  }

  private var active: Set<LastingFault> = []

  var isWell: Bool { active.isEmpty }

  func ignores(_ call: IgnoredCall) -> Bool { active.contains(.ignored(call)) }

  /// Of each kind the newest counts; ignored calls add up.
  mutating func apply(_ lasting: LastingFault) {
    if lasting.kind != .ignore { heal(lasting.kind) }
    active.insert(lasting)
  }

  mutating func heal(_ kind: LastingFault.Kind?) {
    active = active.filter { kind != nil && $0.kind != kind }
  }
}
