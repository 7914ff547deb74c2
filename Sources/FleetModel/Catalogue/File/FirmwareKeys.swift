/// The section `firmware` of the configuration file (MQTT contract 7.3).
enum FirmwareKeys {
  static let section = ConfigurationKeys.section(
    "firmware",
    [
      ConfigurationKeys.key(
        "index", .worded("an https address or a directory", .word(atMost: 2_048)),
        "Where releases of firmware are listed: an https address, or a directory with a copy of the index."),
      ConfigurationKeys.key(
        "directory", .directory, sample: "/var/lib/metafleet/firmware",
        whenMissing: "firmware in the state directory", "Where the last index and packages are kept."),
      ConfigurationKeys.key(
        "ca", .file(isSecret: false), sample: "firmware-ca.pem", whenMissing: "the system's",
        "Trusted certificate authorities of the server that has the index."),
      ConfigurationKeys.key(
        "trust", .choice(FirmwareConfiguration.Trust.allCases.map(\.rawValue)),
        "Which packages are installed: those that are what they were at first, or only those that firmware.lock lists."
      ),
      ConfigurationKeys.key(
        "retries", .integer(0...10),
        "How often a transfer that broke off is made anew at once; later, the gateway tries again by itself."),
      ConfigurationKeys.key(
        "receipts", .integer(1...100),
        "Packets of an image on the way to a board at a time; fewer for boards that cannot follow."),
    ], defaults: FirmwareConfiguration().document, "Checks for newer firmware, and how it is installed.")
}
