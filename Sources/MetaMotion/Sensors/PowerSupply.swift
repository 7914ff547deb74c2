import FleetModel

/// Whether the board is on external power and whether it charges (protocol reference, section 20).
enum PowerSupply {
  static let powerStatus = Register(.settings, 0x11)
  static let chargeStatus = Register(.settings, 0x12)

  /// Whether this board's settings module tells about external power.
  static func hasPowerStatus(_ settings: BoardDescription.Module?) -> Bool {
    capabilities(settings) & 0b01 != 0
  }

  /// Whether this board's settings module tells about charging.
  static func hasChargeStatus(_ settings: BoardDescription.Module?) -> Bool {
    capabilities(settings) & 0b10 != 0
  }

  /// The bits count from revision 5 on; before, the byte is not there or means something else.
  private static func capabilities(_ settings: BoardDescription.Module?) -> UInt8 {
    guard let settings, let revision = settings.revision, revision >= 5 else { return 0 }
    return settings.extra.first ?? 0
  }
}
