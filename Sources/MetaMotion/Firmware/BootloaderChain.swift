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

  /// What is wrong with requirements of an index, in sentences; such builds can be listed and not installed.
  package static func problems(in catalogue: FirmwareCatalogue) -> [String] {
    catalogue.all.compactMap { build in
      guard let required = build.requiredBootloader else { return nil }
      if build.target.flavour == FirmwareTarget.bootloader {
        if required == build.version { return "\(build.path) requires itself" }
        if required > build.version {
          return "\(build.path) requires \(required), which is newer than itself"
        }
        return nil
      }
      let newest = catalogue.builds(for: build.target.ofBootloader).last?.version
      guard let newest, required > newest else { return nil }
      return "\(build.path) requires bootloader \(required), and the newest listed is \(newest)"
    }
  }
}
