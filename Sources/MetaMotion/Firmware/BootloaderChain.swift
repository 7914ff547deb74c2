/// Which bootloaders have to be installed one after the other, because each of them needs another one before.
package enum BootloaderChain {
  /// No order of the listed bootloaders leads to the one that is needed.
  package struct Broken: Error, Hashable, Sendable, CustomStringConvertible {
    /// What can be reached from where we start; the start itself when nothing can.
    package let reached, required: BuildVersion

    package var description: String {
      "bootloader \(required) is needed, and the index lists no way to it from \(reached) on"
    }
  }

  /// The oldest first; empty where `installed` is new enough.
  ///
  /// From each one to the newest that it can install and that is not newer than what is needed; where there is none,
  /// the next newer one. An entry may name itself, which counts as no requirement, as the vendor's own app takes it.
  /// Because versions only rise, circles end.
  package static func from(
    _ installed: BuildVersion, to required: BuildVersion, for target: FirmwareTarget,
    in catalogue: FirmwareCatalogue
  ) throws(Broken) -> [FirmwareBuild] {
    let listed = catalogue.builds(for: target.ofBootloader)
    var chain: [FirmwareBuild] = []
    var current = installed
    while current < required {
      let next = listed.filter { build in
        guard build.version > current else { return false }
        return build.requiredBootloader.map { $0 <= current || $0 == build.version } ?? true
      }
      guard let step = next.last(where: { $0.version <= required }) ?? next.first else {
        throw Broken(reached: current, required: required)
      }
      chain.append(step)
      current = step.version
    }
    return chain
  }

  /// What is odd about requirements of an index, in sentences.
  package static func problems(in catalogue: FirmwareCatalogue) -> [String] {
    catalogue.all.compactMap { build in
      build.target.flavour == FirmwareTarget.bootloader
        ? oddity(of: build) : obstacle(to: build, in: catalogue)
    }
  }

  private static func oddity(of bootloader: FirmwareBuild) -> String? {
    guard let required = bootloader.requiredBootloader, required >= bootloader.version else { return nil }
    return required == bootloader.version
      ? "\(bootloader.path) requires itself, which is taken as no requirement"
      : "\(bootloader.path) requires \(required), which is newer than itself: it cannot be installed"
  }

  /// Why a build could not be installed on any board, as far as an index tells; nil where nothing speaks against it.
  static func obstacle(to build: FirmwareBuild, in catalogue: FirmwareCatalogue) -> String? {
    guard let required = build.requiredBootloader,
      let newest = catalogue.builds(for: build.target.ofBootloader).last?.version, required > newest
    else { return nil }
    return "\(build.path) requires bootloader \(required), and the newest listed is \(newest)"
  }
}
