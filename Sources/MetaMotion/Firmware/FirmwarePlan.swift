import FleetModel

/// What is installed on a board, one after the other: bootloaders that the last one needs, and the build that was asked
/// for. Nothing is planned across models, hardware revisions or flavours, whatever is forced.
///
/// An application does not know its bootloader. Where it was never seen (`isBootloaderKnown`), the plan is made anew
/// with what the board says in its bootloader, before anything is erased.
package struct FirmwarePlan: Hashable, Sendable {
  /// Why nothing can be installed: a sentence.
  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The index lists nothing for such boards, or not this version of it.
    case unlisted(String)
    /// The board has it, or a newer one, and it is not forced.
    case notNewer(installed: String, wanted: String)
    /// What the board says of itself is no version.
    case unreadable(installed: String)
    case noChain(BootloaderChain.Broken)
    /// Bootloaders would have to be installed first.
    case needsBootloaders([BuildVersion])

    package var description: String {
      switch self {
      case .unlisted(let reason): reason
      case .notNewer(let installed, let wanted):
        installed == wanted
          ? "the board has \(installed) already; force installs it again"
          : "the board has \(installed), and \(wanted) is older; force installs it"
      case .unreadable(let installed):
        "the board calls its firmware \(PrintableText.quoted(installed)), which is no version; force installs nevertheless"
      case .noChain(let broken): broken.description
      case .needsBootloaders(let versions):
        "the board needs \(versions.count == 1 ? "bootloader" : "bootloaders") "
          + versions.map(\.text).joined(separator: ", ") + " first; allow_bootloader installs them, too"
      }
    }
  }

  /// The oldest bootloader first, what was asked for last; never empty.
  package let stages: [FirmwareBuild]
  /// What was asked for.
  package let build: FirmwareBuild
  package let isBootloaderKnown: Bool

  /// Whether a bootloader is replaced, whose loss no radio repairs.
  package var hasBootloaders: Bool { stages.count > 1 }

  /// Plans by an index.
  package init(_ request: FirmwareRequest, in catalogue: FirmwareCatalogue) throws(Refusal) {
    build = try Self.build(request, in: catalogue)
    if !request.isForced, let installed = request.installed {
      guard let version = BuildVersion(installed) else { throw .unreadable(installed: installed) }
      guard version < build.version else {
        throw .notNewer(installed: installed, wanted: build.version.text)
      }
    }
    isBootloaderKnown = request.bootloader != nil || build.requiredBootloader == nil
    let bootloaders = try Self.bootloaders(before: build, request, in: catalogue)
    guard bootloaders.isEmpty || request.allowsBootloaders else {
      throw .needsBootloaders(bootloaders.map(\.version))
    }
    stages = bootloaders + [build]
  }

  private static func build(
    _ request: FirmwareRequest, in catalogue: FirmwareCatalogue
  ) throws(Refusal) -> FirmwareBuild {
    let target = request.target
    guard target.flavour != FirmwareTarget.bootloader else {
      throw .unlisted("bootloaders are installed on the way to firmware that needs them, not by themselves")
    }
    guard let version = request.version else {
      if let newest = catalogue.newest(for: target) { return newest }
      throw .unlisted(FirmwareAdvice.unlisted(target, in: catalogue))
    }
    if let wanted = BuildVersion(version),
      let build = catalogue.builds(for: target).first(where: { $0.version == wanted })
    {
      return build
    }
    throw .unlisted(
      "the index lists no \(PrintableText.quoted(version)) for model number \(target.model) of hardware revision "
        + "\(target.hardware), flavour \(target.flavour)")
  }

  /// What has to be on the board before; nothing where its bootloader is not known yet.
  private static func bootloaders(
    before build: FirmwareBuild, _ request: FirmwareRequest, in catalogue: FirmwareCatalogue
  ) throws(Refusal) -> [FirmwareBuild] {
    guard let required = build.requiredBootloader, let bootloader = request.bootloader else { return [] }
    do throws(BootloaderChain.Broken) {
      return try BootloaderChain.from(bootloader, to: required, for: build.target, in: catalogue)
    } catch {
      throw .noChain(error)
    }
  }
}
