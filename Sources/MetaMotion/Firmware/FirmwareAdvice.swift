import FleetModel

/// What an index says about one board.
package enum FirmwareAdvice: Hashable, Sendable {
  /// The board has the newest build, or a newer one than is listed.
  case current(newest: BuildVersion)
  case newer(FirmwareBuild)
  /// Nothing can be said, and why: a sentence.
  case unknown(String)

  /// `installed` as the board says it, in application mode.
  package init(_ catalogue: FirmwareCatalogue, for target: FirmwareTarget, installed: String) {
    guard let newest = catalogue.newest(for: target) else {
      self = .unknown(Self.unlisted(target, in: catalogue))
      return
    }
    guard let version = BuildVersion(installed) else {
      self = .unknown("the board calls its firmware \(PrintableText.quoted(installed)), which is no version")
      return
    }
    self = newest.version > version ? .newer(newest) : .current(newest: newest.version)
  }

  static func unlisted(_ target: FirmwareTarget, in catalogue: FirmwareCatalogue) -> String {
    let alike = catalogue.targets.filter { $0.hardware == target.hardware }
    if alike.isEmpty { return "the index lists no firmware for hardware revision \(target.hardware)" }
    if !alike.contains(where: { $0.model == target.model }) {
      return
        "the index lists no firmware for model number \(target.model) of hardware revision \(target.hardware)"
    }
    return target.flavour == FirmwareTarget.vanilla
      ? "the index lists no release for model number \(target.model) of hardware revision \(target.hardware)"
      : "the board has a build made to order (\(target.flavour)), and the index lists no newer one of it"
  }
}
