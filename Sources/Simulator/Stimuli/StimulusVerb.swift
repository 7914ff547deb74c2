/// The commands of scripts for what somebody does with boards.
package enum StimulusVerb: String, Sendable, CaseIterable, ScriptVerb {
  case press, release, tap
  case doubleTap = "double-tap"
  case shake, walk, fall, turn, gesture, pin, charger, light, temperature, pressure, humidity

  /// The word for what is so by itself.
  static let usual = "usual"

  /// How it is written.
  package var form: String {
    switch self {
    case .press, .release, .tap, .doubleTap: "\(rawValue) BOARDS"
    case .shake, .fall: "\(rawValue) BOARDS [DURATION]"
    case .walk: "walk BOARDS [STEPS [DURATION]]"
    case .turn: "turn BOARDS \(Self.alternatives(PhysicalEvent.Pose.self))"
    case .gesture: "gesture BOARDS \(Self.alternatives(Gesture.self))"
    case .pin: "pin BOARDS NUMBER high|low|open|MILLIVOLTS"
    case .charger: "charger BOARDS \(Self.alternatives(Plug.self))"
    case .light: "light BOARDS LUX|\(Self.usual)"
    case .temperature: "temperature BOARDS CELSIUS|\(Self.usual)"
    case .pressure: "pressure BOARDS PASCAL|\(Self.usual)"
    case .humidity: "humidity BOARDS PERCENT|\(Self.usual)"
    }
  }

  /// What it does, in a few words.
  package var meaning: String {
    switch self {
    case .press: "their buttons are pressed and stay down; a press wakes a board that was put to sleep"
    case .release: "their buttons are released"
    case .tap: "a finger taps on their faces"
    case .doubleTap: "a finger taps twice, 150 ms apart"
    case .shake: "they are shaken, four times a second by 3 g (2s)"
    case .walk: "somebody walks with them: so many steps, one each DURATION (10 500ms)"
    case .fall: "they fall: nothing is felt for so long (300ms)"
    case .turn: "they are turned within half a second, and stay so; face-up is how they lie at first"
    case .gesture: "a wrist moves as the chip of a MetaMotion S recognises it; other boards feel nothing"
    case .pin: "a pin is connected to the supply, to ground, to nothing, or to a voltage"
    case .charger: "a charger is plugged in, or out"
    case .light: "so much light falls on them, or what fell before"
    case .temperature: "the air around them is so warm, or as it was"
    case .pressure: "the air has this pressure, or the one it had"
    case .humidity: "the air has this relative humidity, or the one it had"
    }
  }

  /// What a wrist can do.
  enum Gesture: String, CaseIterable {
    case pushDown = "push-down"
    case pivotUp = "pivot-up"
    case shake
    case flickIn = "flick-in"
    case flickOut = "flick-out"
    case wakeUp = "wake-up"

    /// With the chip's code (protocol reference 9.5).
    var event: PhysicalEvent {
      switch self {
      case .pushDown: .gesture(code: 1)
      case .pivotUp: .gesture(code: 2)
      case .shake: .gesture(code: 3)
      case .flickIn: .gesture(code: 4)
      case .flickOut: .gesture(code: 5)
      case .wakeUp: .raiseWrist
      }
    }
  }

  enum Plug: String, CaseIterable { case on, off }
}
