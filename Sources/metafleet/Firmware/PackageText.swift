import FleetModel
import MetaMotion

/// What is told of a package.
enum PackageText {
  static func lines(of package: FirmwarePackage) -> [String] {
    let packet = package.initPacket
    var lines = [
      "replaces: \(replaced(package.image.kind))", "image: \(package.image.bytes.count) bytes",
      "made for: device type \(mask(packet.deviceType)), revision \(mask(packet.deviceRevision)), "
        + "soft devices \(packet.softDevices.map { $0 == 0xFFFE ? "any" : "\($0)" }.joined(separator: ", "))",
      "promised: \(promised(packet.promise))", "SHA-256: \(package.digest)",
    ]
    if package.image.softDeviceSize > 0 {
      lines.insert("soft device: \(package.image.softDeviceSize) bytes of it", at: 2)
    }
    return lines
  }

  static func object(of package: FirmwarePackage) -> JSONObject {
    let packet = package.initPacket
    return [
      "replaces": .string(replaced(package.image.kind)), "bytes": .integer(Int64(package.image.bytes.count)),
      "soft_device_bytes": .integer(Int64(package.image.softDeviceSize)),
      "device_type": .integer(Int64(packet.deviceType)),
      "device_revision": .integer(Int64(packet.deviceRevision)),
      "application_version": .integer(Int64(packet.applicationVersion)),
      "soft_devices": .array(packet.softDevices.map { .integer(Int64($0)) }),
      "init_packet_bytes": .integer(Int64(package.image.initPacket.count)),
      "sha256": .string(package.digest),
    ]
  }

  private static func replaced(_ kind: FirmwareImage.Kind) -> String {
    switch kind {
    case .application: "firmware"
    case .bootloader: "bootloader"
    case .softDevice: "soft device"
    case .softDeviceAndBootloader: "soft device and bootloader"
    }
  }

  private static func mask(_ number: UInt16) -> String { number == 0xFFFF ? "any" : "\(number)" }

  private static func promised(_ promise: InitPacket.Promise) -> String {
    switch promise {
    case .checksum: "a checksum of the image, which fits"
    case .digest(_, _, isSigned: false): "length and SHA-256 of the image, which fit"
    case .digest:
      "length and SHA-256 of the image, which fit, and a signature, which only the board can judge"
    case .unknown: "something that only the board can judge"
    }
  }
}
