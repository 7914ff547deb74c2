import FleetModel

/// The vendor's index of builds, `info2.json` (protocol reference, section 33), as far as it can be used.
///
/// Entries without a file, and versions that cannot be compared, are left out. What is of another type than it has to
/// be is refused as a whole, with its place: nobody knows what else is wrong with such an index. Keys that we do not
/// know are ignored, among them the oldest version of the vendor's own apps.
package struct FirmwareCatalogue: Sendable {
  /// Why something is no index: a sentence with the place.
  package struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  /// In bytes; the vendor's has less than a tenth of it.
  package static let largestIndex = 4 << 20

  /// Ascending.
  private let builds: [FirmwareTarget: [FirmwareBuild]]

  /// Reads an index.
  package init(_ bytes: [UInt8]) throws(Unreadable) {
    if bytes.count > Self.largestIndex {
      throw Unreadable("it has \(bytes.count) bytes, and no index has more than \(Self.largestIndex)")
    }
    if bytes.first(where: { !$0.isSpace }) == UInt8(ascii: "<") {
      throw Unreadable("it is a web page and no index")
    }
    var limits = JSONLimits()
    (limits.bytes, limits.keys) = (Self.largestIndex, 100_000)
    let document: JSONValue
    do {
      document = try StrictJSON.parse(bytes, limits: limits)
    } catch {
      throw Unreadable(
        error.offset >= bytes.count
          ? "it ends in the middle, after \(bytes.count) bytes"
          : "it is no JSON: \(error.message), at byte \(error.offset)")
    }
    try self.init(document)
  }

  /// Reads an index that is JSON already.
  init(_ document: JSONValue) throws(Unreadable) {
    var builds: [FirmwareTarget: [FirmwareBuild]] = [:]
    for (hardware, models) in try Place().members(of: document) {
      let place = try Place().within(hardware)
      for (model, flavours) in try place.members(of: models) {
        let place = try place.within(model)
        for (flavour, versions) in try place.members(of: flavours) {
          let place = try place.within(flavour)
          let target = FirmwareTarget(hardware: hardware, model: model, flavour: flavour)
          for (version, entry) in try place.members(of: versions) {
            let place = try place.within(version)
            guard let build = try place.build(entry, for: target, BuildVersion(version)) else { continue }
            builds[target, default: []].append(build)
          }
        }
      }
    }
    if builds.isEmpty { throw Unreadable("it lists no build") }
    self.builds = builds.mapValues { $0.sorted { $0.version < $1.version } }
  }

  /// All builds for such boards, ascending.
  package func builds(for target: FirmwareTarget) -> [FirmwareBuild] { builds[target] ?? [] }

  /// The build to use: the newest that is no preview.
  package func newest(for target: FirmwareTarget) -> FirmwareBuild? {
    builds(for: target).last { $0.version.isRelease }
  }

  /// What there are builds for, in order.
  package var targets: [FirmwareTarget] {
    builds.keys.sorted { ($0.hardware, $0.model, $0.flavour) < ($1.hardware, $1.model, $1.flavour) }
  }

  /// Every build, in the order of what it is for.
  package var all: [FirmwareBuild] { targets.flatMap { builds(for: $0) } }
}

/// Where in the index something stands: hardware, model, flavour, version.
private struct Place {
  typealias Unreadable = FirmwareCatalogue.Unreadable

  var keys: [String] = []

  private var path: String { keys.joined(separator: "/") }

  /// The keys become names of folders, and none may lead elsewhere.
  func within(_ key: String) throws(Unreadable) -> Place {
    guard FileName.isPlain(key) else {
      throw Unreadable(
        "\((keys + [PrintableText.quoted(key)]).joined(separator: "/")) is no name of a folder")
    }
    return Place(keys: keys + [key])
  }

  func members(of value: JSONValue) throws(Unreadable) -> [(key: String, value: JSONValue)] {
    guard let object = value.object else {
      throw Unreadable("\(keys.isEmpty ? "it" : path) has to be an object and is none")
    }
    return object.members
  }

  /// nil: there is no file, or the version cannot be compared.
  func build(
    _ entry: JSONValue, for target: FirmwareTarget, _ version: BuildVersion?
  ) throws(Unreadable) -> FirmwareBuild? {
    _ = try members(of: entry)
    let file = try text("filename", of: entry) ?? ""
    let required = try text("required-bootloader", of: entry) ?? ""
    guard let version, !file.isEmpty else { return nil }
    guard FileName.isPlain(file) else {
      throw Unreadable("\(path)/filename is no name of a file: \(PrintableText.quoted(file))")
    }
    let requiredBootloader = BuildVersion(required)
    if requiredBootloader == nil, !required.isEmpty {
      throw Unreadable("\(path)/required-bootloader is no version: \(PrintableText.quoted(required))")
    }
    return FirmwareBuild(
      target: target, version: version, path: "\(path)/\(file)", requiredBootloader: requiredBootloader)
  }

  private func text(_ key: String, of entry: JSONValue) throws(Unreadable) -> String? {
    guard let value = entry.object?[key], value != .null else { return nil }
    guard let text = value.string else { throw Unreadable("\(path)/\(key) has to be text and is none") }
    return text
  }
}

/// Names that stand for something in the folder they are in, and nowhere else.
private enum FileName {
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && name.first != "."
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-+ ".contains($0)) }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(self) }
}
