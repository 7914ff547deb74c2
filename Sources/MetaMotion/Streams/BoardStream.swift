/// A stream this driver knows, by the catalogue's name.
enum BoardStream: Hashable, Sendable {
  case acceleration
  case temperature(Temperature.Source)
  case `switch`
  case battery
  case powerStatus
  case chargeStatus

  /// The stream of that name; nil for one this driver does not make.
  init?(_ name: String) {
    switch name {
    case "acceleration": self = .acceleration
    case "switch": self = .switch
    case "battery": self = .battery
    case "power-status": self = .powerStatus
    case "charge-status": self = .chargeStatus
    default:
      let prefix = "temperature-"
      guard name.hasPrefix(prefix),
        let source = Temperature.Source(named: String(name.dropFirst(prefix.count)))
      else { return nil }
      self = .temperature(source)
    }
  }
}
