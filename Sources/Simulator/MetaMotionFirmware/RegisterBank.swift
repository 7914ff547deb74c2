/// Registers that only keep what was written: configurations, which read back as written, and enable masks,
/// written as bits to set and bits to clear and read back as one byte (protocol reference 7).
struct RegisterBank: Sendable {
  private var settings: [UInt8: [UInt8]]
  private var masks: [UInt8: UInt8]

  /// The length of a default is the length of that register.
  init(settings: [UInt8: [UInt8]] = [:], masks: Set<UInt8> = []) {
    self.settings = settings
    self.masks = Dictionary(uniqueKeysWithValues: masks.map { ($0, 0) })
  }

  /// False if there is no such register or the length is wrong.
  @discardableResult
  mutating func write(_ register: UInt8, _ payload: [UInt8]) -> Bool {
    if let mask = masks[register] {
      guard payload.count == 2 else { return false }
      masks[register] = (mask | payload[0]) & ~payload[1]
      return true
    }
    guard let current = settings[register], current.count == payload.count else { return false }
    settings[register] = payload
    return true
  }

  func read(_ register: UInt8) -> [UInt8]? {
    masks[register].map { [$0] } ?? settings[register]
  }

  /// The bits now enabled; 0 for a register that is no mask.
  func mask(_ register: UInt8) -> UInt8 { masks[register] ?? 0 }
}
