import FleetModel

/// The one list of keys of the contract whose feature does not exist in this version: they are checked, have no
/// effect, and raise a warning, so that a complete file loads. When a feature comes, its keys move to their section.
enum LaterKeys {
  typealias Keys = [ConfigurationKey<Unread>]

  static let lanes: Keys = [
    .later(
      "encodings", .list(of: .choice(["json", "lp", "cbor"]), atMost: 3), "Encodings beside json.",
      standard: "[json]")
  ]

  static let bluetooth: Keys = [
    .later("quiet_ok", .boolean, "Whether silence of the air is normal here.", standard: "false")
  ]

  static let schedules: Keys = [
    .later("firmware_check", .schedule, "Looks for newer firmware.", standard: "daily 03:00")
  ]

  /// Sections without any key in effect.
  static let file: Keys = [
    .laterSection(
      "firmware",
      [
        .later(
          "index", .word("a URL or a directory", atMost: 2048), "Where firmware is listed.",
          sample: "https://mbientlab.com/releases/metawear/info2.json"),
        .later("directory", .directory, "Where firmware is kept.", sample: "/var/lib/metafleet/firmware"),
      ], "Firmware of boards."),
    .laterSection(
      "homeassistant",
      [
        .later("discovery", .boolean, "Whether boards announce themselves.", standard: "false"),
        .later("prefix", .topicLevels, "Home Assistant's discovery prefix.", standard: "homeassistant"),
      ], "Home Assistant."),
    .laterSection(
      "http",
      [
        .later("listen", .word("address:port or none"), "Metrics and health.", standard: "\"127.0.0.1:9464\"")
      ],
      "Metrics and health over HTTP."),
    .laterSection(
      "ownership",
      [
        .later("store", .choice(["static", "etcd"]), "Who owns which board.", standard: "static"),
        .later(
          "endpoints", .list(of: .word("a URL", atMost: 2048), atMost: 16), "Addresses of etcd.",
          sample: "[\"https://etcd:2379\"]"),
        .later("ca", .file, "Authority of etcd.", sample: "etcd-ca.pem"),
        .later("certificate", .file, "Our certificate.", sample: "etcd.pem"),
        .later("key", .secretFile, "Our key.", sample: "etcd.key"),
        .later("ttl", .duration(.seconds(1) ... .seconds(3600)), "How long a claim holds.", standard: "15s"),
      ], "Several gateways."),
  ]

  static let profile: Keys = [
    .later("foreign", .choice(["leave", "report"]), "What others left on the board.", standard: "report")
  ]

  /// Whether the contract has a stream of that name although this version has not: those of serial buses.
  static func hasStream(_ name: String) -> Bool {
    (name.hasPrefix("i2c-") || name.hasPrefix("spi-"))
      && ParameterType.isName(String(name.dropFirst(4)), digitsFirst: false, further: "-")
  }
}
