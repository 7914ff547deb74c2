/// What a pin is to be (MQTT contract 3.9).
public struct PinCommand: Hashable, Sendable {
  /// Which way a pin is pulled.
  public enum Pull: String, Sendable, CaseIterable { case up, down, none }
  /// Which of its edges count as changes.
  public enum Change: String, Sendable, CaseIterable { case off, rising, falling, any }

  /// The pin's number.
  public var pin: UInt8
  /// The level it drives; nil leaves it.
  public var isHigh: Bool?
  /// nil leaves it.
  public var pull: Pull?
  /// nil leaves it.
  public var change: Change?

  /// Sets up `pin`.
  public init(pin: UInt8, isHigh: Bool? = nil, pull: Pull? = nil, change: Change? = nil) {
    (self.pin, self.isHigh, self.pull, self.change) = (pin, isHigh, pull, change)
  }
}
