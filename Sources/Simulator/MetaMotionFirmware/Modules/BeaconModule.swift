/// The iBeacon (protocol reference 12). Every register reads back as written.
struct BeaconModule: FirmwareModule {
  static let id: UInt8 = 0x07
  static let name = "beacon"

  private enum Register {
    static let enable: UInt8 = 0x01
    static let uuid: UInt8 = 0x02
    static let major: UInt8 = 0x03
    static let minor: UInt8 = 0x04
    static let measuredPower: UInt8 = 0x05
    static let transmitPower: UInt8 = 0x06
    static let period: UInt8 = 0x07
  }

  private static let apple: UInt16 = 0x004C
  /// A proximity beacon, with 21 bytes to follow.
  private static let header: [UInt8] = [0x02, 0x15]

  private var registers = RegisterBank(settings: [
    Register.enable: [0], Register.uuid: [UInt8](repeating: 0, count: 16), Register.major: [0, 0],
    Register.minor: [0, 0], Register.measuredPower: [0xC9], Register.transmitPower: [0],
    Register.period: [0xBC, 0x02],
  ])

  init(_ board: Mainboard) {}

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    if registers.write(register, payload) { board.request = .advertisementChanged }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    payload.isEmpty ? registers.read(register) : nil
  }

  /// On air everything is the other way round: most significant byte first.
  func added(to advertisement: Advertisement) -> Advertisement {
    guard registers.read(Register.enable) == [1] else { return advertisement }
    let numbers = [Register.uuid, Register.major, Register.minor].flatMap {
      (registers.read($0) ?? []).reversed()
    }
    var manufacturerData = advertisement.manufacturerData
    manufacturerData[Self.apple] =
      Self.header + numbers + (registers.read(Register.measuredPower) ?? [])
    return Advertisement(
      localName: advertisement.localName, service: advertisement.service, manufacturerData: manufacturerData)
  }
}
