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
