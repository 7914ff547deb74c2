/// What the LED was last ordered to show: the retained `led` document.
public struct LEDState: Hashable, Sendable {
  /// How it looks; nil when it is off.
  public var appearance: LEDAppearance?
  /// When a finite show ends.
  public var until: Timestamp?
  /// When this was set.
  public var time: Timestamp

  /// States how the LED looks.
  public init(appearance: LEDAppearance?, until: Timestamp?, time: Timestamp) {
    self.appearance = appearance
    self.until = until
    self.time = time
  }
}
