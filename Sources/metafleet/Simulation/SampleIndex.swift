/// An index of firmware in the vendor's form, made up for simulated boards: there is one build more than those of an
/// RL have.
enum SampleIndex {
  static let text = """
    {
      "0.1": {"8": {
        "vanilla": {"1.7.3": {"filename": "firmware.zip", "required-bootloader": "0.5"}},
        "bootloader": {"0.5": {"filename": "bl.zip", "required-bootloader": ""}}
      }},
      "0.4": {"5": {
        "vanilla": {"1.5.0": {"filename": "firmware.zip", "required-bootloader": "0.3.3"}},
        "bootloader": {
          "0.3.2": {"filename": "bl.zip", "required-bootloader": "0.3.1"},
          "0.3.3": {"filename": "bl.zip", "required-bootloader": "0.3.2"}
        }
      }},
      "0.5": {"5": {
        "vanilla": {
          "1.7.3": {"filename": "firmware.zip", "required-bootloader": "0.5"},
          "1.7.4": {"filename": "firmware.zip", "required-bootloader": "0.5"}
        },
        "bootloader": {"0.5": {"filename": "bl.zip", "required-bootloader": ""}}
      }}
    }

    """

  /// Packages that simulated boards take, by their place beside the index.
  static let packages = [
    "0.1/8/vanilla/1.7.3": "1.7.3", "0.5/5/vanilla/1.7.3": "1.7.3", "0.5/5/vanilla/1.7.4": "1.7.4",
  ].map { (path: "\($0)/firmware.zip", content: DemoPackage.archive(version: $1)) }
}
