import FleetModel

/// As the lines of scripts say it, without boards; of what is wrong inside a board only its kind.
extension Fault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .drop: "drop"
    case .reset: "reset"
    case .battery(let percent): "battery \(percent)"
    case .flood(let count): "flood \(count)"
    case .malformed(let count): "malformed \(count)"
    case .foreignHost: "foreign-host"
    case .stimulus(let stimulus): "\(stimulus)"
    case .apply(let lasting): lasting.kind.rawValue
    case .heal(let kind): kind.map { "heal \($0.rawValue)" } ?? "heal"
    case .adapter(let fault, let number): "adapter \(fault.rawValue) \(number)"
    case .service(let fault): "service \(fault.rawValue)"
    case .radio(let quality): "radio \(quality?.rawValue ?? StimulusVerb.usual)"
    }
  }
}

/// As the lines of scripts say it, without boards: read again, it is the same.
extension Stimulus: CustomStringConvertible {
  package var description: String {
    switch self {
    case .press: "press"
    case .release: "release"
    case .motion(.tap): "tap"
    case .motion(.doubleTap): "double-tap"
    case .motion(.shake(let span)): "shake \(Self.text(span))"
    case .motion(.walk(let steps, let interval)): "walk \(steps) \(Self.text(interval))"
    case .motion(.fall(let span)): "fall \(Self.text(span))"
    case .motion(.turn(let pose)): "turn \(pose.rawValue)"
    case .motion(.gesture), .motion(.raiseWrist): "gesture \(gesture?.rawValue ?? "unknown")"
    case .pin(let number, .millivolts(let millivolts)): "pin \(number) \(millivolts)"
    case .pin(let number, .high): "pin \(number) high"
    case .pin(let number, .low): "pin \(number) low"
    case .pin(let number, .open): "pin \(number) open"
    case .charger(let isPluggedIn): "charger \(isPluggedIn ? "on" : "off")"
    case .surroundings(let quantity, let value):
      "\(quantity.rawValue) \(value.map { "\($0)" } ?? StimulusVerb.usual)"
    }
  }

  private var gesture: StimulusVerb.Gesture? {
    guard case .motion(let event) = self else { return nil }
    return StimulusVerb.Gesture.allCases.first { $0.event == event }
  }

  private static func text(_ span: Duration) -> String { "\(span.wholeMilliseconds)ms" }
}
