/// What a build is made for. Nothing is ever offered across one of the three.
package struct FirmwareTarget: Hashable, Sendable {
  /// Such as `0.4`. Boards write it `r0.4`, too (protocol reference, section 1.2).
  package let hardware: String
  /// The model number of the device information service: `5`, `8`.
  package let model: String
  /// `vanilla`, `bootloader`, or the decimal number of a build made to order.
  package let flavour: String

  package static let vanilla = "vanilla"
  package static let bootloader = "bootloader"

  /// `hardware` with or without its `r`.
  package init(hardware: String, model: String, flavour: String = vanilla) {
    self.hardware = Self.plain(hardware)
    self.model = model
    self.flavour = flavour
  }

  /// A hardware revision as the index writes it: `r0.4` is `0.4`.
  package static func plain(_ hardware: String) -> String {
    let text = String(hardware.drop { $0.isWhitespace }.prefix { !$0.isWhitespace })
    guard let first = text.first, first == "r" || first == "R" else { return text }
    return String(text.dropFirst())
  }

  /// The bootloader of the same boards.
  var ofBootloader: FirmwareTarget {
    FirmwareTarget(hardware: hardware, model: model, flavour: Self.bootloader)
  }
}

/// One build of the index.
package struct FirmwareBuild: Hashable, Sendable {
  package let target: FirmwareTarget
  package let version: BuildVersion
  /// Where its file lies, from the folder of the index: `0.4/5/vanilla/1.7.3/firmware.zip`.
  package let path: String
  /// The bootloader that has to be on the board before; nil: any.
  package let requiredBootloader: BuildVersion?
}
