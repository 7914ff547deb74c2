import FleetModel

/// The file `manifest.json` of a package: which files are image and init packet, and what the image replaces.
struct PackageManifest: Hashable, Sendable {
  static let name = "manifest.json"

  let kind: FirmwareImage.Kind
  let imageFile, initFile: String
  /// Of a soft device in front of a bootloader; else 0.
  let softDeviceSize: Int

  private static let kinds: [(key: String, kind: FirmwareImage.Kind)] = [
    ("application", .application), ("bootloader", .bootloader), ("softdevice", .softDevice),
    ("softdevice_bootloader", .softDeviceAndBootloader),
  ]

  /// Reads one. A failure is a sentence.
  init(_ bytes: [UInt8]) throws(FirmwarePackage.Unusable) {
    let document: JSONValue
    do throws(JSONProblem) { document = try StrictJSON.parse(bytes) } catch {
      throw .init("its \(Self.name) is no JSON: \(error.message)")
    }
    guard let manifest = document.object?["manifest"]?.object else {
      throw .init("its \(Self.name) has no manifest")
    }
    let parts = Self.kinds.compactMap { key, kind in manifest[key].map { (key, kind, $0) } }
    guard let (key, kind, value) = parts.first else {
      throw .init("its \(Self.name) names no image that a MetaMotion takes")
    }
    guard parts.count == 1 else {
      throw .init("its \(Self.name) names \(parts.count) images, and one is installed at a time")
    }
    guard let part = value.object, let image = part["bin_file"]?.string else {
      throw .init("its \(Self.name) names no file for \(key)")
    }
    guard let initFile = part["dat_file"]?.string else {
      throw .init("its \(Self.name) names no init packet, without which no MetaMotion takes an image")
    }
    (self.kind, imageFile, self.initFile) = (kind, image, initFile)
    softDeviceSize = kind == .softDeviceAndBootloader ? try Self.softDeviceSize(of: part) : 0
  }

  /// The sizes stand in the part itself, or in a part of it.
  private static func softDeviceSize(of part: JSONObject) throws(FirmwarePackage.Unusable) -> Int {
    let further = part["info_read_only_metadata"]?.object ?? [:]
    guard let size = (part["sd_size"] ?? further["sd_size"])?.integer, size > 0,
      size <= Int64(ZipArchive.largestFile)
    else { throw .init("its \(Self.name) does not say the size of the soft device") }
    return Int(size)
  }
}
