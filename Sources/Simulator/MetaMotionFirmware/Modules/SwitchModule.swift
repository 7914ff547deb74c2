/// The push button (protocol reference 5).
struct SwitchModule: FirmwareModule {
  static let id: UInt8 = 0x01
  static let name = "switch"
  static let state: UInt8 = 0x01

  let streams: Set<UInt8> = [state]

  init(_ board: Mainboard) {}

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {}

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    register == Self.state && payload.isEmpty ? [board.surroundings.isSwitchPressed ? 1 : 0] : nil
  }
}
