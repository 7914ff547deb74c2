// What somebody does with boards, in the lines of scripts.
extension FaultLine {
  private static let usualShake = Duration.seconds(2)
  private static let usualFall = Duration.milliseconds(300)
  private static let usualSteps = 10
  private static let usualStep = Duration.milliseconds(500)
  /// Longer is no shake, no fall and no step.
  static let longest = Duration.seconds(3600)

  static func stimulus(
    _ verb: StimulusVerb, _ words: inout ArraySlice<String>
  ) throws(FaultProblem) -> Stimulus {
    switch verb {
    case .press: return .press
    case .release: return .release
    case .tap: return .motion(.tap)
    case .doubleTap: return .motion(.doubleTap)
    case .shake: return .motion(.shake(try extent(&words, usualShake, of: verb)))
    case .fall: return .motion(.fall(try extent(&words, usualFall, of: verb)))
    case .walk:
      let steps = words.isEmpty ? usualSteps : try number(&words, 1...100_000, of: verb)
      return .motion(.walk(steps: steps, interval: try extent(&words, usualStep, of: verb)))
    case .turn: return .motion(.turn(try choice(&words, of: verb)))
    case .gesture:
      let gesture: StimulusVerb.Gesture = try choice(&words, of: verb)
      return .motion(gesture.event)
    case .pin:
      let number = UInt8(try number(&words, 0...255, of: verb))
      return .pin(number, try input(&words, of: verb))
    case .charger:
      let plug: StimulusVerb.Plug = try choice(&words, of: verb)
      return .charger(isPluggedIn: plug == .on)
    case .light: return .surroundings(.light, try value(&words, .light, of: verb))
    case .temperature: return .surroundings(.temperature, try value(&words, .temperature, of: verb))
    case .pressure: return .surroundings(.pressure, try value(&words, .pressure, of: verb))
    case .humidity: return .surroundings(.humidity, try value(&words, .humidity, of: verb))
    }
  }

  private static func extent(
    _ words: inout ArraySlice<String>, _ usual: Duration, of verb: StimulusVerb
  ) throws(FaultProblem) -> Duration {
    guard !words.isEmpty else { return usual }
    let span = try span(&words, of: verb)
    guard span > .zero, span <= longest else {
      throw FaultProblem("\(verb.form): a duration of more than nothing, up to an hour, is expected")
    }
    return span
  }

  private static func input(
    _ words: inout ArraySlice<String>, of verb: StimulusVerb
  ) throws(FaultProblem) -> PinInput {
    switch words.first {
    case "high", "low", "open":
      let word = words.removeFirst()
      return word == "high" ? .high : word == "low" ? .low : .open
    default: return .millivolts(try number(&words, PinInput.range, of: verb))
    }
  }

  /// Nil for what is so by itself.
  private static func value(
    _ words: inout ArraySlice<String>, _ quantity: Climate.Quantity, of verb: StimulusVerb
  ) throws(FaultProblem) -> Double? {
    let word = try word(&words, of: verb)
    guard word != StimulusVerb.usual else { return nil }
    guard let value = Double(word), quantity.range.contains(value) else {
      let (low, high) = (Int(quantity.range.lowerBound), Int(quantity.range.upperBound))
      throw FaultProblem(
        "\(verb.form): a number from \(low) to \(high), or \(StimulusVerb.usual), is expected")
    }
    return value
  }
}
