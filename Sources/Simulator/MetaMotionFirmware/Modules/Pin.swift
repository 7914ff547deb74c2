/// One pin: what drives it and what is seen on it.
struct Pin: Sendable {
  enum Pull: Sendable {
    case none, up, down
  }

  enum ChangeType: UInt8, Sendable {
    case off = 0
    case rising = 1
    case falling = 2
    case any = 3

    func includes(rising: Bool) -> Bool { self == .any || self == (rising ? .rising : .falling) }
  }

  let capabilities: UInt8
  /// Millivolts.
  let supply: Double
  /// Nil while the pin is an input.
  var output: Bool?
  private(set) var pull = Pull.none
  /// Millivolts that somebody puts on the pin; nil leaves it open.
  var external: Double?
  var changeType = ChangeType.off
  var isMonitored = false

  init(capabilities: UInt8, supply: Double) {
    self.capabilities = capabilities
    self.supply = supply
  }

  /// A pin with a pull is an input.
  mutating func set(pull: Pull) {
    self.pull = pull
    output = nil
  }

  /// Millivolts: what the board drives wins, then what is connected, then the pull; an open pin reads low.
  var voltage: Double {
    if let output { return output ? supply : 0 }
    return external ?? (pull == .up ? supply : 0)
  }

  /// High above seven tenths of the supply, as both processors specify it.
  var level: Bool { voltage >= 0.7 * supply }
}
