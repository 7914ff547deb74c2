/// What boards' bootloaders are like. What nobody knows of MetaBoot is a switch: a host must work with every answer.
package struct BootloaderTraits: Sendable, Equatable {
  /// Where the bootloader is on the air.
  package enum Place: Sendable {
    /// At the application's address.
    case sameAddress
    /// The lowest byte of the address is one more, FF becomes 00, and nothing is carried.
    case nextAddress
  }

  /// How packets cross a link to the bootloader.
  package struct Link: Sendable, Equatable {
    /// Between two connection events; zero: nothing waits for one.
    package var interval = Duration.milliseconds(30)
    /// So many packets go each way in one connection event.
    package var packetsPerEvent = 6
    /// So many packets of an image wait for their way into flash; nil for any number.
    package var buffer: Int?
    /// How long each of them takes for it.
    package var writing = Duration.milliseconds(5)

    package init() {}
  }

  /// What an init packet is held against.
  package struct Device: Sendable, Equatable {
    package let type: UInt16
    package let revision: UInt16
    package let softDevice: UInt16
  }

  /// Firmware that needs a bootloader of some age.
  package struct Requirement: Sendable, Equatable {
    package let kind: ImageKind
    /// From this revision on.
    package let from: FirmwareRevision
    package let bootloader: FirmwareRevision
  }

  /// Of the bootloader; nil: as the board's model has it.
  package var revision: FirmwareRevision?
  package var place = Place.sameAddress
  /// An image replaces the application where that lies, instead of behind it.
  package var hasOneBank = true
  /// What the version characteristic reads; nil where there is none.
  package var version: UInt16? = 0x0008
  package var hasDeviceInformation = true
  /// From a reset to the first advertisement.
  package var starting = Duration.seconds(1)
  /// For each page of flash that an image needs.
  package var erasing = Duration.milliseconds(85)
  /// Without a word from a host for so long, it resets.
  package var inactivity = Duration.seconds(360)
  package var link = Link()
  /// Receipts count from the start of a transfer, instead of from that of the bootloader.
  package var receiptsCountFromStart = false
  /// Init packets are held against the board. A checksum is always held against the image.
  package var checksDevice = true
  package var requirements = Requirement.known
  /// Loggers, their entries, macros and settings live through new firmware.
  package var keepsWhatIsStored = false

  package init() {}
}

extension BootloaderTraits.Requirement {
  /// As the vendor's index has them for these revisions.
  static let known: [BootloaderTraits.Requirement] = [
    (.bootloader, [0, 2, 2], [0, 2, 1]), (.bootloader, [0, 3, 1], [0, 2, 2]),
    (.bootloader, [0, 3, 2], [0, 3, 1]), (.bootloader, [0, 3, 3], [0, 3, 2]),
    (.bootloader, [0, 4], [0, 3, 3]),
    (.bootloader, [0, 5], [0, 4]), (.application, [1, 4, 4], [0, 3, 3]), (.application, [1, 7], [0, 5]),
  ].map { (kind: ImageKind, from: [Int], bootloader: [Int]) in
    BootloaderTraits.Requirement(
      kind: kind, from: FirmwareRevision(from), bootloader: FirmwareRevision(bootloader))
  }
}

// What depends on the board's model.
extension BootloaderTraits {
  /// Of an erased page of flash, in bytes.
  static let page = 4096

  /// Room for images, in bytes.
  func room(on model: BoardModel) -> Int {
    let flash = model.isS ? 0xD4000 : 0x58000
    return hasOneBank ? flash : flash / 2
  }

  /// As init packets for this model name it: its model number, and its hardware revision without the point.
  static func device(of model: BoardModel) -> Device {
    Device(
      type: UInt16(model.modelNumber) ?? 0,
      revision: UInt16(model.hardwareRevision.filter { $0.isNumber }) ?? 0,
      softDevice: model.isS ? 0x00A9 : 0x00A8)
  }

  /// The bootloader that a board of this model left the factory with.
  func revision(on model: BoardModel) -> FirmwareRevision {
    revision ?? FirmwareRevision(model.firmware(isAtLeast: 1, 7) ? [0, 5, 0] : [0, 3, 3])
  }

  /// How long the flash for so many bytes takes to be erased.
  func erasing(_ bytes: Int) -> Duration { erasing * ((bytes + Self.page - 1) / Self.page) }

  /// Whether a bootloader of some revision takes this firmware.
  func takes(_ kind: ImageKind, _ revision: FirmwareRevision?, on bootloader: FirmwareRevision) -> Bool {
    guard let revision else { return true }
    let ruled = kind == .application ? ImageKind.application : .bootloader
    // The newest that this firmware is not older than.
    let rule = requirements.filter { $0.kind == ruled && $0.from <= revision }.max { $0.from < $1.from }
    return rule.map { $0.bootloader <= bootloader } ?? true
  }
}
