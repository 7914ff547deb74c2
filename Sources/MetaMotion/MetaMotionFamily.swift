public import BoardKit
import FleetModel

/// MbientLab's MetaMotion R, RL and S: how to recognise one, and how to make a driver for its link.
public enum MetaMotionFamily {
  /// What a fleet must know of the family.
  public static let descriptor = FamilyDescriptor(
    name: "metamotion",
    advertisedServices: [Attributes.metaWear, Attributes.bootloader],
    recognises: recognises,
    isBootloader: { $0.services.contains(Attributes.bootloader) },
    requiredCharacteristics: [
      [Attributes.command, Attributes.notification],
      [Attributes.bootloaderControl, Attributes.bootloaderPacket],
    ],
    notifications: [Attributes.notification],
    logFormat: LogFormat(
      entrySize: LogEntry.size, timing: LogEntry.timing, clock: { LogEntry.clock($0, at: $1) },
      logger: { Int(LogEntry.slot(LogEntry.head($0, at: $1))) },
      makeDecoder: { LogEntryDecoder($0, rest: $1) }),
    bootloader: BootloaderFamily(
      requiredCharacteristics: [Attributes.bootloaderControl, Attributes.bootloaderPacket],
      notifications: [Attributes.bootloaderControl], windows: TransferLimits.windows,
      owners: { [$0, $0.before] }, makeDriver: { BootloaderControl(conversation: $0) }),
    makeDriver: { MetaMotionDriver(conversation: $0) })

  /// Boards do not always advertise the service, but then their name begins with `MetaWear` until it is changed
  /// (protocol reference, section 1.1).
  private static let recognises: @Sendable (AdvertisementReport) -> Bool = { report in
    report.services.contains(Attributes.metaWear) || report.services.contains(Attributes.bootloader)
      || report.name?.hasPrefix("MetaWear") == true
  }
}

extension BoardID {
  /// The board whose bootloader may advertise here: some add 1 to the lowest byte, without a carry.
  fileprivate var before: BoardID {
    let number = address.rawValue
    return BoardID(BluetoothAddress(rawValue: number & ~0xFF | (number &- 1) & 0xFF))
  }
}
