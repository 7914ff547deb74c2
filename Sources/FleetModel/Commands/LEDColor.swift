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
