import BoardKit
import FleetModel

/// What a board is to get in its bootloader, as it is kept on disk until that is over.
struct UpdateTarget: Hashable, Sendable {
  /// What the bootloader is visited for.
  enum Goal: Hashable, Sendable {
    /// Firmware is installed.
    case install
    /// Who is there is found out, and the board stays.
    case look
    /// The board is sent back to its application.
    case leave
  }

  var goal = Goal.install
  /// What the board is to say it has; empty where nothing is installed.
  var version = ""
  /// SHA-256 of the package.
  var sum = ""
  /// A file of the gateway's own.
  var file: String?
  /// What the board had.
  var before: String?
  /// Serial number of the board that is meant; nil: of whichever is there.
  var serial: String?
  /// Which boards the package is for.
  var recipient: FirmwareRecipient?
  var allowsBootloader = false

  /// Whether it is this board: nothing is written to another one.
  func means(_ found: BootloaderDescription) -> Bool {
    if let serial, serial != found.serialNumber { return false }
    guard let recipient else { return true }
    return recipient.modelNumber == found.modelNumber && recipient.hardwareRevision == found.hardwareRevision
  }
}

/// As it is kept.
extension UpdateTarget {
  /// Reads what `document` wrote; nil where it cannot be read any more.
  init?(document: JSONObject) {
    guard let version = document["version"]?.string, let sum = document["image_sha256"]?.string else {
      return nil
    }
    (self.version, self.sum) = (version, sum)
    file = document["file"]?.string
    before = document["before"]?.string
    serial = document["serial"]?.string
    if let model = document["model_id"]?.string, let hardware = document["hw"]?.string {
      recipient = FirmwareRecipient(
        modelNumber: model, hardwareRevision: hardware, build: document["build"]?.string)
    }
    allowsBootloader = document["allow_bootloader"]?.bool ?? false
  }

  /// Its facts, of one that is to be installed.
  var document: JSONObject {
    var document: JSONObject = ["version": .string(version), "image_sha256": .string(sum)]
    document["file"] = file.map { .string($0) }
    document["before"] = before.map { .string($0) }
    document["serial"] = serial.map { .string($0) }
    document["model_id"] = recipient.map { .string($0.modelNumber) }
    document["hw"] = recipient.map { .string($0.hardwareRevision) }
    document["build"] = recipient?.build.map { .string($0) }
    document["allow_bootloader"] = .bool(allowsBootloader)
    return document
  }
}
