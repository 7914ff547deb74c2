package import BoardKit
package import FleetModel

/// A package of the operator's own. Nobody lists for which boards it is made, so that its init packet, and who puts it
/// into the gateway's directory, answer for that.
package struct FirmwareFile: FirmwareInstallation {
  private let image: InstallableFirmware
  package let sum: String

  package var version: String { image.version }

  /// `version` is what the board says with it. Throws what is wrong with it.
  package init(_ package: FirmwarePackage, name: String, version: String?) throws(CommandFailure) {
    guard let version else {
      throw .invalid("give the version that \(name) makes of the board, which nothing in a package says")
    }
    guard package.image.kind == .application else {
      throw .invalid("\(name) contains a bootloader and no firmware")
    }
    image = InstallableFirmware(package.image, version: version)
    sum = package.digest
  }

  package func images(
    for board: BootloaderDescription
  ) throws(CommandFailure) -> [any InstallableImage] { [image] }
}
