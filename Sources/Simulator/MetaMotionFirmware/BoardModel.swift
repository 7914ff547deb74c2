/// A kind of board: its device information and what its modules answer to an information read.
package struct BoardModel: Sendable, Equatable {
  /// Short name as on the command line: `r`, `rl`, `s`, `rh`.
  package let key: String
  /// `5` for R and RL, `8` for S (protocol reference 1.2).
  package let modelNumber: String
  package let firmwareRevision: String
  package let hardwareRevision: String
  package var manufacturer: String { "MbientLab Inc" }
  /// Implementation, revision and extra bytes of every module the board has; an id that is not listed is absent.
  package let modules: [UInt8: [UInt8]]
  /// Firmware before 1.7 carries the board's address in its advertisement, later firmware does not
  /// (protocol reference 1.1).
  package let advertisesAddress: Bool

  package init(
    key: String, modelNumber: String, firmwareRevision: String, hardwareRevision: String,
    modules: [UInt8: [UInt8]], advertisesAddress: Bool = false
  ) {
    self.key = key
    self.modelNumber = modelNumber
    self.firmwareRevision = firmwareRevision
    self.hardwareRevision = hardwareRevision
    self.modules = modules
    self.advertisesAddress = advertisesAddress
  }

  /// The same board with firmware of another revision.
  func running(_ revision: String) -> BoardModel {
    let other = BoardModel(
      key: key, modelNumber: modelNumber, firmwareRevision: revision, hardwareRevision: hardwareRevision,
      modules: modules)
    return BoardModel(
      key: key, modelNumber: modelNumber, firmwareRevision: revision, hardwareRevision: hardwareRevision,
      modules: modules, advertisesAddress: !other.firmware(isAtLeast: 1, 7))
  }

  func implementation(of module: UInt8) -> UInt8? { modules[module]?.first }

  func revision(of module: UInt8) -> UInt8 { modules[module].flatMap { $0.count > 1 ? $0[1] : nil } ?? 0 }

  func extra(of module: UInt8) -> [UInt8] { Array((modules[module] ?? []).dropFirst(2)) }

  /// Whether the firmware is of this version or later.
  func firmware(isAtLeast major: Int, _ minor: Int) -> Bool {
    let parts = firmwareRevision.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
    return !parts.lexicographicallyPrecedes([major, minor])
  }

  /// The S has its log in NAND, 3 V regulator and radio settings that R and RL lack.
  package var isS: Bool { modelNumber == "8" }
}

extension BoardModel {
  /// Every MetaMotion there is.
  package static let all = [r, rl, s]

  /// All that the command line offers.
  package static let offered = all + [rh]

  /// Nil for a key that names no model.
  package init?(key: String) {
    guard let model = Self.offered.first(where: { $0.key == key }) else { return nil }
    self = model
  }

  /// MetaMotion R with firmware 1.5, as its replies were seen (protocol reference 3.3).
  package static let r = BoardModel(
    key: "r", modelNumber: "5", firmwareRevision: "1.5.0", hardwareRevision: "0.4",
    modules: common.merging(
      [
        0x02: [0, 0], 0x03: [1, 2], 0x04: [1, 0, 0, 3, 1, 2], 0x05: [0, 2, 3, 3, 3, 3, 1, 1, 1, 1],
        0x09: [0, 1, 0x1C], 0x0B: [0, 2, 8, 0x80, 0x2D, 0, 0], 0x0F: [0, 1, 8],
        0x11: [0, 5, 3], 0x12: [0, 0], 0x13: [0, 1], 0x14: [0, 0], 0x15: [0, 1],
        0x19: [0, 2] + fusionLibrary, 0xFE: [0, 2],
      ], uniquingKeysWith: { _, own in own }),
    advertisesAddress: true)

  /// An R with a BME280 in place of its BMP280, which measures humidity, too. No MetaMotion was made with it; the
  /// firmware knows it (protocol reference 21 and 25).
  package static let rh = BoardModel(
    key: "rh", modelNumber: r.modelNumber, firmwareRevision: r.firmwareRevision,
    hardwareRevision: r.hardwareRevision,
    modules: r.modules.merging([0x12: [1, 0], 0x16: [0, 0]], uniquingKeysWith: { _, own in own }),
    advertisesAddress: r.advertisesAddress)

  /// MetaMotion RL with firmware 1.7: neither barometer nor light sensor, hence three temperature channels.
  package static let rl = BoardModel(
    key: "rl", modelNumber: "5", firmwareRevision: "1.7.3", hardwareRevision: "0.5",
    modules: common.merging(
      [
        0x02: [0, 1, 3, 0], 0x03: [1, 2], 0x04: [1, 0, 0, 3, 1], 0x05: [0, 2, 3, 3, 3, 3, 1, 1, 1, 1],
        0x09: [0, 3, 0x1C], 0x0B: [0, 3, 8, 0, 0, 0x10, 0, 0, 2], 0x0F: [0, 2, 8, 0],
        0x11: [0, 10, 3, 0], 0x13: [0, 1], 0x15: [0, 2],
        0x19: [0, 3] + fusionLibrary, 0xFE: [0, 6, 3],
      ], uniquingKeysWith: { _, own in own }))

  /// MetaMotion S with firmware 1.7.
  package static let s = BoardModel(
    key: "s", modelNumber: "8", firmwareRevision: "1.7.3", hardwareRevision: "0.1",
    modules: common.merging(
      [
        0x02: [0, 1, 3, 6], 0x03: [4, 0], 0x04: [1, 0, 0, 3, 1, 2], 0x05: [0, 2, 3, 3, 3, 3, 3, 3, 1],
        0x09: [0, 3, 0x1C], 0x0B: [0, 3, 8, 0, 0, 0xFB, 3, 0, 2], 0x0F: [0, 2, 8, 0],
        0x11: [0, 10, 7, 0], 0x12: [0, 0], 0x13: [1, 0], 0x14: [0, 0], 0x15: [0, 2],
        0x19: [0, 3] + fusionLibrary, 0xFE: [0, 6, 3],
      ], uniquingKeysWith: { _, own in own }))

  /// Switch, iBeacon, haptic, events, timers, I2C/SPI: the same on all three.
  private static let common: [UInt8: [UInt8]] = [
    0x01: [0, 0], 0x07: [0, 0], 0x08: [0, 0], 0x0A: [0, 0, 0x1C], 0x0C: [0, 0, 8], 0x0D: [0, 1],
  ]

  /// Version 3.6.2.1 of the sensor fusion library.
  private static let fusionLibrary: [UInt8] = [3, 0, 6, 0, 2, 0, 1, 0]
}
