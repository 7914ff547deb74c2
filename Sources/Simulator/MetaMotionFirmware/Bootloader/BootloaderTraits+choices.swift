import FleetModel

/// By name, for those who choose from outside.
extension BootloaderTraits {
  private enum Form {
    case word(@Sendable (inout BootloaderTraits) -> Void)
    case duration(@Sendable (inout BootloaderTraits, Duration) -> Void)
    case revision(@Sendable (inout BootloaderTraits, FirmwareRevision) -> Void)

    /// What is to be written behind the name.
    var value: String {
      switch self {
      case .word: ""
      case .duration: "=DURATION"
      case .revision: "=REVISION"
      }
    }
  }

  private static let table: [(name: String, meaning: String, form: Form)] = [
    ("revision", "the bootloader's own revision, such as 0.2.1", .revision { $0.revision = $1 }),
    (
      "next-address", "the lowest byte of its address is one more; boards then have every second address",
      .word { $0.place = .nextAddress }
    ),
    ("two-banks", "the old application stays until a new one is valid", .word { $0.hasOneBank = false }),
    ("sdk-7", "the version characteristic reads 05 00", .word { $0.version = 0x0005 }),
    ("no-version", "there is no version characteristic", .word { $0.version = nil }),
    ("no-information", "there is no device information", .word { $0.hasDeviceInformation = false }),
    ("start", "from a reset to its first advertisement (1s)", .duration { $0.starting = $1 }),
    ("erase", "for each 4 KiB of flash that an image needs (85ms)", .duration { $0.erasing = $1 }),
    (
      "inactivity", "it resets when nobody has said anything for so long (6m)",
      .duration { $0.inactivity = $1 }
    ),
    (
      "interval", "between two connection events, of six packets each (30ms)",
      .duration { $0.link.interval = $1 }
    ),
    ("small-buffer", "four packets of an image wait for their way into flash", .word { $0.link.buffer = 4 }),
    (
      "receipts-from-start", "receipts count from the start of a transfer, not from that of the bootloader",
      .word { $0.receiptsCountFromStart = true }
    ),
    ("any-image", "it takes any init packet whose checksum is right", .word { $0.checksDevice = false }),
    (
      "keeps-log", "logs, loggers and macros live through new firmware", .word { $0.keepsWhatIsStored = true }
    ),
  ]

  /// What can be chosen, and what it means.
  package static let choices: [(name: String, meaning: String)] = table.map {
    ($0.name + $0.form.value, $0.meaning)
  }

  /// Chooses one, written as in the list; false for what is not in it, or has a value that is none.
  package mutating func choose(_ text: String) -> Bool {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.first, let choice = Self.table.first(where: { $0.name == name }) else {
      return false
    }
    switch (choice.form, parts.count > 1 ? parts[1] : nil) {
    case (.word(let set), nil): set(&self)
    case (.duration(let set), let value?):
      guard let duration = DurationText.parse(value) else { return false }
      set(&self, duration)
    case (.revision(let set), let value?):
      guard let revision = FirmwareRevision(value) else { return false }
      set(&self, revision)
    default: return false
    }
    return true
  }
}
