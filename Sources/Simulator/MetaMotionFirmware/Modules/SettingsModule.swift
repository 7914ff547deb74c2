/// Name, advertising, connection parameters, battery and the like (protocol reference 20).
struct SettingsModule: FirmwareModule {
  static let id: UInt8 = 0x11
  static let name = "settings"

  enum Register {
    static let name: UInt8 = 0x01
    static let advertising: UInt8 = 0x02
    static let transmitPower: UInt8 = 0x03
    static let keepBonds: UInt8 = 0x04
    static let startAdvertising: UInt8 = 0x05
    static let scanResponse: UInt8 = 0x07
    static let partialScanResponse: UInt8 = 0x08
    static let connectionParameters: UInt8 = 0x09
    static let disconnect: UInt8 = 0x0A
    static let address: UInt8 = 0x0B
    static let battery: UInt8 = 0x0C
    static let watchdogEnabled: UInt8 = 0x0D
    static let watchdogPeriod: UInt8 = 0x0E
    static let watchdogRefresh: UInt8 = 0x0F
    static let powerStatus: UInt8 = 0x11
    static let chargeStatus: UInt8 = 0x12
    static let allowListMode: UInt8 = 0x13
    static let allowList: UInt8 = 0x14
    static let peer: UInt8 = 0x15
    static let regulator: UInt8 = 0x1C
    static let force1MPHY: UInt8 = 0x1D
  }

  private static let longestName = 26
  private static let longestScanResponse = 31
  private static let transmitPowers: [Int8] = [4, 0, -4, -8, -12, -16, -20, -30]
  private static let randomStaticAddress: UInt8 = 1
  /// A public address: who the host is on the simulated air, no board is told.
  private static let peer: [UInt8] = [0, 0x02, 0, 0, 0, 0, 0x02]
  private static let mbientLab: UInt16 = 0x626D

  let streams: Set<UInt8>
  private let revision: UInt8
  /// What lives through a reset if this firmware is taken to keep settings.
  private var persistent: Persistent
  private var registers: RegisterBank
  private var partialScanResponse: [UInt8] = []
  private var allowList: [UInt8: [UInt8]] = [:]

  private struct Persistent: Sendable {
    var name = Array("MetaWear".utf8)
    /// 417.5 ms in units of 0.625 ms, forever, connectable undirected.
    var advertising: [UInt8]
    var transmitPower: Int8 = 0
    var scanResponse: [UInt8] = []
    var connectionParameters: [UInt8] = [0x06, 0x00, 0x09, 0x00, 0x00, 0x00, 0x58, 0x02]
  }

  init(_ board: Mainboard) {
    let revision = board.model.revision(of: Self.id)
    let capabilities = board.model.extra(of: Self.id).first ?? 0
    func has(_ bit: UInt8, since first: UInt8) -> Bool { revision >= first && capabilities & bit != 0 }
    var streams: Set<UInt8> = []
    if has(0x01, since: 5) { streams.insert(Register.powerStatus) }
    if has(0x02, since: 5) { streams.insert(Register.chargeStatus) }
    self.revision = revision
    self.streams = streams
    persistent = Persistent(advertising: [0x9C, 0x02, 0x00] + (revision >= 6 ? [0x00] : []))
    var settings: [UInt8: [UInt8]] = [
      Register.keepBonds: [0], Register.watchdogPeriod: [0, 0, 0, 0, 0], Register.watchdogRefresh: [0],
    ]
    if revision >= 6 { settings[Register.allowListMode] = [0] }
    if has(0x04, since: 9) { settings[Register.regulator] = [0] }
    if revision >= 10 && board.model.isS { settings[Register.force1MPHY] = [0] }
    registers = RegisterBank(settings: settings)
  }

  mutating func reset(on board: inout Mainboard) {
    let kept = persistent
    self = Self(board)
    if board.assumptions.settingsSurviveReset { persistent = kept }
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch register {
    case Register.name:
      guard !payload.isEmpty, payload.allSatisfy(Self.isAllowedInName) else { return }
      persistent.name = Array(payload.prefix(Self.longestName))
      board.request = .advertisementChanged
    case Register.advertising:
      guard payload.count == persistent.advertising.count else { return }
      persistent.advertising = payload
    case Register.transmitPower:
      guard payload.count == 1, Self.transmitPowers.contains(Int8(bitPattern: payload[0])) else { return }
      persistent.transmitPower = Int8(bitPattern: payload[0])
    case Register.startAdvertising:
      guard payload.isEmpty else { return }
      board.request = .advertise
    case Register.partialScanResponse:
      guard revision >= 1, payload.count == 13 else { return }
      partialScanResponse = payload
    case Register.scanResponse:
      persistent.scanResponse = Array((partialScanResponse + payload).prefix(Self.longestScanResponse))
      partialScanResponse = []
      board.request = .advertisementChanged
    case Register.connectionParameters:
      guard revision >= 1, payload.count == 8 else { return }
      persistent.connectionParameters = payload
    case Register.allowList:
      guard revision >= 6, payload.count == 8, payload[0] <= 8 else { return }
      allowList[payload[0]] = payload
    default:
      registers.write(register, payload)
    }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    if register == Register.allowList { return payload.count == 1 ? allowList[payload[0]] : nil }
    guard payload.isEmpty else { return nil }
    switch register {
    case Register.name: return Array(persistent.name.prefix(Packet.maximumLength - 2))
    case Register.advertising: return persistent.advertising
    case Register.transmitPower: return [UInt8(bitPattern: persistent.transmitPower)]
    case Register.scanResponse: return Array(persistent.scanResponse.prefix(Packet.maximumLength - 2))
    case Register.connectionParameters where revision >= 1: return persistent.connectionParameters
    case Register.peer: return Self.peer
    case Register.address where revision >= 2:
      return [Self.randomStaticAddress] + board.identity.addressBytes
    case Register.battery where revision >= 3:
      return [board.battery.percent(at: board.now)]
        + board.battery.millivolts(at: board.now).littleEndianBytes
    case Register.watchdogEnabled: return [0]
    case Register.powerStatus where streams.contains(register):
      return [board.battery.hasExternalPower ? 1 : 0]
    case Register.chargeStatus where streams.contains(register):
      return [board.battery.isCharging(at: board.now) ? 1 : 0]
    default: return registers.read(register)
    }
  }

  /// A source for event entries only: nobody is there any more to be notified.
  mutating func linkGone(on board: inout Mainboard) {
    guard revision >= 2 else { return }
    board.fire(Self.id, Register.disconnect, [])
  }

  func nextEvent(on board: Mainboard) -> Duration? { board.battery.chargeEnds(after: board.now) }

  mutating func fire(on board: inout Mainboard) { board.fire(Self.id, Register.chargeStatus, [0]) }

  /// How long the board advertises; nil means forever.
  var advertisingTimeout: Duration? {
    let seconds = persistent.advertising[2]
    return seconds == 0 ? nil : .seconds(seconds)
  }

  /// The scan response that the host set, if any, speaks first; the firmware fills in the rest.
  func advertisement(of board: Mainboard) -> Advertisement {
    let own = AdvertisingStructure.all(in: persistent.scanResponse)
    var name = persistent.name
    var manufacturerData: [UInt16: [UInt8]] = [:]
    if board.model.advertisesAddress { manufacturerData[Self.mbientLab] = board.identity.addressBytes }
    for structure in own {
      if structure.type == AdvertisingStructure.completeLocalName { name = structure.data }
      if structure.type == AdvertisingStructure.manufacturerData,
        let company = UInt16(littleEndian: structure.data)
      {
        manufacturerData[company] = Array(structure.data.dropFirst(2))
      }
    }
    return Advertisement(
      localName: String(decoding: name, as: UTF8.self), service: MetaMotionAttributes.service,
      manufacturerData: manufacturerData)
  }

  private static func isAllowedInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
