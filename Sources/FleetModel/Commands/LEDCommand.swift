/// What the LED is to do.
public enum LEDCommand: Hashable, Sendable {
  /// Stop, clear, program these channels, play.
  case show(LEDShow)
  /// Home Assistant's light form: what is left out keeps its last value.
  case light(LEDLight)
  /// Stop and clear.
  case off
  /// Pause, play what is programmed, or play whatever gets programmed.
  case pause, play, autoplay
}

/// The three emitters, in the board's numbering (protocol reference, section 6).
public enum LEDChannel: String, Sendable, CaseIterable { case green, red, blue }

/// The pulse one channel repeats; intensities 0–31, times in milliseconds.
public struct LEDPulse: Hashable, Sendable {
  /// Intensity of the pulse, 0–31.
  public var high: UInt8
  /// Intensity between pulses, 0–31.
  public var low: UInt8
  /// Time to rise, ms.
  public var riseTime: UInt16
  /// Time at the high intensity, ms.
  public var highTime: UInt16
  /// Time to fall, ms.
  public var fallTime: UInt16
  /// Time from pulse to pulse, ms.
  public var period: UInt16
  /// Time before the first pulse, ms.
  public var delay: UInt16
  /// How often; 0 = for ever.
  public var repetitions: UInt8

  /// Takes a pulse's shape.
  public init(
    high: UInt8, low: UInt8, riseTime: UInt16, highTime: UInt16, fallTime: UInt16, period: UInt16,
    delay: UInt16 = 0, repetitions: UInt8 = 0
  ) {
    self.high = high
    self.low = low
    self.riseTime = riseTime
    self.highTime = highTime
    self.fallTime = fallTime
    self.period = period
    self.delay = delay
    self.repetitions = repetitions
  }

  /// Both intensities times a factor of at most 1; nil when nothing is left to see.
  func scaled(by factor: Double) -> LEDPulse? {
    var pulse = self
    pulse.high = UInt8((Double(high) * factor).rounded())
    pulse.low = UInt8((Double(low) * factor).rounded())
    return pulse.high > 0 || pulse.low > 0 ? pulse : nil
  }
}

/// Named pulses (MQTT contract 3.2; the first three are the vendor's).
public enum LEDPattern: String, Sendable, CaseIterable {
  case solid, blink, breathe, flash

  /// The pulse at full intensity; `flash` ends by itself after three.
  public var pulse: LEDPulse {
    switch self {
    case .solid: LEDPulse(high: 31, low: 31, riseTime: 0, highTime: 500, fallTime: 0, period: 1000)
    case .blink: LEDPulse(high: 31, low: 0, riseTime: 0, highTime: 50, fallTime: 0, period: 500)
    case .breathe: LEDPulse(high: 31, low: 0, riseTime: 725, highTime: 500, fallTime: 725, period: 2000)
    case .flash:
      LEDPulse(high: 31, low: 0, riseTime: 0, highTime: 100, fallTime: 0, period: 500, repetitions: 3)
    }
  }
}

/// A colour, each part 0–255.
public struct LEDColor: Hashable, Sendable {
  /// Red part.
  public var red: UInt8
  /// Green part.
  public var green: UInt8
  /// Blue part.
  public var blue: UInt8

  /// Mixes a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// All three emitters.
  public static let white = LEDColor(red: 255, green: 255, blue: 255)

  /// The colours that have a name (MQTT contract 3.2).
  public static let named: [(name: String, color: LEDColor)] = [
    ("green", LEDColor(red: 0, green: 255, blue: 0)),
    ("red", LEDColor(red: 255, green: 0, blue: 0)),
    ("blue", LEDColor(red: 0, green: 0, blue: 255)),
    ("yellow", LEDColor(red: 255, green: 255, blue: 0)),
    ("cyan", LEDColor(red: 0, green: 255, blue: 255)),
    ("magenta", LEDColor(red: 255, green: 0, blue: 255)),
    ("white", .white),
  ]

  /// The part of `channel`.
  public subscript(channel: LEDChannel) -> UInt8 {
    switch channel {
    case .green: green
    case .red: red
    case .blue: blue
    }
  }
}

/// Channels to program; a channel that is missing stays dark.
public struct LEDShow: Hashable, Sendable {
  /// Pulse of each channel that lights.
  public var channels: [LEDChannel: LEDPulse]
  /// How the light looks to a consumer that knows colours and effects only.
  public var appearance: LEDAppearance

  /// Shows `channels`.
  public init(channels: [LEDChannel: LEDPulse], appearance: LEDAppearance) {
    self.channels = channels
    self.appearance = appearance
  }

  /// One colour and one pulse: channel intensity = round(preset × channel/255 × brightness/255); a channel of
  /// intensity 0 is not programmed.
  public init(color: LEDColor, brightness: UInt8, pulse: LEDPulse, effect: String) {
    channels = [:]
    for channel in LEDChannel.allCases {
      channels[channel] = pulse.scaled(by: Double(color[channel]) / 255 * Double(brightness) / 255)
    }
    appearance = LEDAppearance(color: color, brightness: brightness, effect: effect)
  }

  /// How long the show runs; nil when a channel repeats for ever.
  public var duration: Duration? {
    var longest = Duration.zero
    for pulse in channels.values {
      if pulse.repetitions == 0 { return nil }
      let total = Int(pulse.delay) + Int(pulse.period) * Int(pulse.repetitions)
      longest = max(longest, .milliseconds(total))
    }
    return longest
  }
}

/// A light as Home Assistant knows it.
public struct LEDAppearance: Hashable, Sendable {
  /// Its colour.
  public var color: LEDColor
  /// Brightness, 0–255.
  public var brightness: UInt8
  /// Name of the pattern, or `custom`.
  public var effect: String

  /// Describes a light.
  public init(color: LEDColor, brightness: UInt8, effect: String) {
    self.color = color
    self.brightness = brightness
    self.effect = effect
  }
}

/// Home Assistant's JSON light command when it says ON: what is nil keeps its last value.
public struct LEDLight: Hashable, Sendable {
  /// Its colour.
  public var color: LEDColor?
  /// Brightness, 0–255.
  public var brightness: UInt8?
  /// The pattern to show.
  public var effect: LEDPattern?
  /// Repetitions asked by `flash`: short 3, long 10.
  public var flashes: UInt8?

  /// Takes what the command held.
  public init(color: LEDColor?, brightness: UInt8?, effect: LEDPattern?, flashes: UInt8?) {
    self.color = color
    self.brightness = brightness
    self.effect = effect
    self.flashes = flashes
  }

  /// The show this asks for, given how the light looked last.
  public func show(after last: LEDAppearance?) -> LEDShow {
    let pattern =
      flashes != nil ? .flash : effect ?? last.flatMap { LEDPattern(rawValue: $0.effect) } ?? .solid
    var pulse = pattern.pulse
    if let flashes { pulse.repetitions = flashes }
    return LEDShow(
      color: color ?? last?.color ?? .white, brightness: brightness ?? last?.brightness ?? 255, pulse: pulse,
      effect: pattern.rawValue)
  }
}
