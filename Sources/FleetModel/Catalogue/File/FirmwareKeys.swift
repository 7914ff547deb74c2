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
        whenMissing: "firmware in the state directory", "Where the last index is kept."),
      ConfigurationKeys.key(
        "ca", .file(isSecret: false), sample: "firmware-ca.pem", whenMissing: "the system's",
        "Trusted certificate authorities of the server that has the index."),
    ], defaults: FirmwareConfiguration().document, "Checks for newer firmware; nothing is installed.")
}
