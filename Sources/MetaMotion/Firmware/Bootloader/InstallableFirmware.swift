import BoardKit

/// An image of a package, and what the board says once it runs.
package struct InstallableFirmware: InstallableImage {
  package let image: FirmwareImage
  package let version: String

  package init(_ image: FirmwareImage, version: String) { (self.image, self.version) = (image, version) }

  package var isApplication: Bool { image.kind == .application }
  package var size: Int { image.bytes.count }
}
