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
