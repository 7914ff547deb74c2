/// Something that somebody does with a board on purpose, or that is so around it. What the board makes of it, its chips
/// decide: a tap is a jerk that a detector recognises where one is switched on.
package enum Stimulus: Hashable, Sendable {
  /// The button goes down, or up.
  case press, release
  case motion(PhysicalEvent)
  /// What is connected to a pin, by its number.
  case pin(UInt8, PinInput)
  /// A charger is plugged in, or out.
  case charger(isPluggedIn: Bool)
  /// The air and the light around it; nil as they are by themselves.
  case surroundings(Climate.Quantity, Double?)

  /// What ends it; nil for what ends by itself.
  var remedy: Stimulus? {
    switch self {
    case .press: .release
    case .pin(let number, let input) where input != .open: .pin(number, .open)
    case .charger(isPluggedIn: true): .charger(isPluggedIn: false)
    case .surroundings(let quantity, .some): .surroundings(quantity, nil)
    case .release, .motion, .pin, .charger, .surroundings: nil
    }
  }
}

/// What somebody connects to a pin.
package enum PinInput: Hashable, Sendable {
  /// The board's own supply, and ground.
  case high, low
  /// Nothing.
  case open
  case millivolts(Int)

  static let range = 0...5000

  /// As the pin sees it, in millivolts; nil for nothing. A pin shows no more than its supply.
  var voltage: Double? {
    switch self {
    case .high: .greatestFiniteMagnitude
    case .low: 0
    case .open: nil
    case .millivolts(let millivolts): Double(millivolts)
    }
  }
}
