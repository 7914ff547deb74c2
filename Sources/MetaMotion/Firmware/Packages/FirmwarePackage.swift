import FleetModel

/// A release as it is downloaded: a zip archive with a manifest, an image and its init packet. All of it is looked
/// through before a board is touched.
package struct FirmwarePackage: Hashable, Sendable {
  /// Why something is no package that can be installed: a sentence, whose subject is the package.
  package struct Unusable: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  package let image: FirmwareImage
  package let initPacket: InitPacket
  /// Of the whole archive: 64 hexadecimal digits.
  package let digest: String

  /// Reads an archive.
  package init(_ bytes: [UInt8]) throws(Unusable) {
    if let page = Self.otherContent(bytes) { throw Unusable(page) }
    let archive = try ZipArchive(bytes)
    let manifest = try PackageManifest(try archive.content(of: PackageManifest.name))
    let image = try archive.content(of: manifest.imageFile)
    let packet = try archive.content(of: manifest.initFile)
    guard !image.isEmpty, image.count.isMultiple(of: 4) else {
      throw Unusable("its image has \(image.count) bytes, which is no number of words of 4")
    }
    guard manifest.softDeviceSize < image.count, manifest.softDeviceSize.isMultiple(of: 4) else {
      throw Unusable("its soft device has \(manifest.softDeviceSize) bytes of an image of \(image.count)")
    }
    initPacket = try InitPacket(packet)
    if let contradiction = initPacket.contradiction(to: image) { throw Unusable(contradiction) }
    self.image = FirmwareImage(
      kind: manifest.kind, softDeviceSize: manifest.softDeviceSize, initPacket: packet, bytes: image)
    digest = Hex.string(SHA256.digest(of: bytes))
  }

  /// What comes instead of packages: a page of a server that asks for a password, or an image alone.
  private static func otherContent(_ bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "it is empty" }
    if bytes.starts(with: Array("PK".utf8)) { return nil }
    return bytes.first == UInt8(ascii: "<")
      ? "it is a web page and no package"
      : "it is no zip archive; an image alone, such as an old firmware.bin, cannot be installed"
  }
}
