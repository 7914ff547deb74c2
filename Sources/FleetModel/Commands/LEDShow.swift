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
