@testable import MetaMotion

/// An index as the vendor writes it, with all that is odd about theirs.
enum SampleCatalogue {
  static let text = """
    {
      "0.4": {
        "5": {
          "vanilla": {
            "1.10.0": {"filename": "firmware.zip", "required-bootloader": "0.3.3", "min-ios-version": "9.0.0"},
            "1.9.0": {"filename": "firmware.zip", "required-bootloader": "0.3.3", "colour": ["green"]},
            "1.11.0": {"required-bootloader": "0.3.3"},
            "2.0.0-beta": {"filename": "firmware.zip", "required-bootloader": "0.4"},
            "latest": {"filename": "firmware.zip"}
          },
          "128": {"9.0.0": {"filename": "firmware.zip", "required-bootloader": ""}},
          "bootloader": {
            "0.2.2": {"filename": "bl.zip", "required-bootloader": "0.2.1"},
            "0.3.1": {"filename": "sd_bl.zip", "required-bootloader": "0.2.2"},
            "0.3.2": {"filename": "bl.zip", "required-bootloader": "0.3.1"},
            "0.3.3": {"filename": "bl.zip", "required-bootloader": "0.3.2"},
            "0.4": {"filename": "bl.zip", "required-bootloader": "0.4.0"}
          }
        }
      },
      "r0.1": {"8": {"vanilla": {"1.7.3": {"filename": "firmware.zip", "required-bootloader": null}}}}
    }
    """

  static func catalogue(_ text: String = text) throws -> FirmwareCatalogue {
    try FirmwareCatalogue(Array(text.utf8))
  }

  static let board = FirmwareTarget(hardware: "r0.4", model: "5")
}
