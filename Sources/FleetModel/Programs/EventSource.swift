/// What triggers an action on the board (MQTT contract 3.7).
public enum EventSource: Hashable, Sendable {
  /// Both edges, or one of them.
  case button(isPressed: Bool?)
  case timer(String)
  case chain(String)
  case disconnect
  case pin(UInt8)
  /// Every sample of a stream.
  case stream(String)
  /// Whatever a detector notices.
  case detector(String)
  case power
  case charge

  /// Reads the contract's word; nil for anything else.
  public init?(_ text: String) {
    switch text {
    case "button": self = .button(isPressed: nil)
    case "button-press": self = .button(isPressed: true)
    case "button-release": self = .button(isPressed: false)
    case "disconnect": self = .disconnect
    case "power": self = .power
    case "charge": self = .charge
    default:
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      switch parts[0] {
      case "timer": self = .timer(parts[1])
      case "processor": self = .chain(parts[1])
      case "stream": self = .stream(parts[1])
      case "detector": self = .detector(parts[1])
      case "gpio":
        guard let pin = UInt8(parts[1]) else { return nil }
        self = .pin(pin)
      default: return nil
      }
    }
  }
}
