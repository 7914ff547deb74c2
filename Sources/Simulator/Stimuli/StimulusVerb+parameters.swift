package import FleetModel

// The words of a command behind its boards, for those who make forms of them.
extension StimulusVerb {
  /// In their order. One that may be left out has what counts then, which may stand for it in a line.
  package var parameters: [Parameter] {
    switch self {
    case .press, .release, .tap, .doubleTap: []
    case .shake: [Parameter("duration", Self.span, standard: "2s", "for how long")]
    case .fall: [Parameter("duration", Self.span, standard: "300ms", "for how long")]
    case .walk:
      [
        Parameter("steps", .integer(1...100_000), standard: 10, "how many"),
        Parameter("interval", Self.span, standard: "500ms", "from one to the next"),
      ]
    case .turn: [Self.choice("side", PhysicalEvent.Pose.self, "how it lies then")]
    case .gesture: [Self.choice("movement", Gesture.self, "what the wrist does")]
    case .pin:
      [
        Parameter("number", .integer(0...255), required: true, "the pin"),
        Parameter("level", .identifier(atMost: 4), required: true, "high, low, open or millivolts"),
      ]
    case .charger: [Self.choice("plug", Plug.self, "whether it is plugged in")]
    case .light: [Self.value("light_lx", .light)]
    case .temperature: [Self.value("temperature_c", .temperature)]
    case .pressure: [Self.value("pressure_pa", .pressure)]
    case .humidity: [Self.value("humidity_pct", .humidity)]
    }
  }

  /// The stream that tells of it, where only boards that have it feel anything; nil for what each board feels.
  package var stream: String? {
    switch self {
    case .gesture: "wrist-gesture"
    case .light: "illuminance"
    case .pressure: "pressure"
    case .humidity: "humidity"
    case .press, .release, .tap, .doubleTap, .shake, .walk, .fall, .turn, .pin, .charger, .temperature: nil
    }
  }

  private static var span: ParameterType {
    .duration(atLeast: .milliseconds(1), atMost: FaultLine.longest)
  }

  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String, _: Choice.Type, _ summary: String
  ) -> Parameter {
    Parameter(name, .choice(Choice.allCases.map(\.rawValue)), required: true, summary)
  }

  private static func value(_ name: String, _ quantity: Climate.Quantity) -> Parameter {
    Parameter(name, .number(quantity.range), standard: .string(usual), "as it is to be")
  }
}
