/// Sections of the contract without any key in effect: their keys are checked, have no effect, and raise a warning, so
/// that a complete file loads. When a feature comes, its keys become keys like others.
extension ConfigurationKeys {
  static let laterSections: [Parameter] = [
    laterSection(
      "ownership",
      [
        later("store", .choice(["static", "etcd"]), standard: "static", "Who owns which board."),
        later(
          "endpoints", .list(of: .worded("a URL", .word(atMost: 2_048)), 0...16),
          sample: "[\"https://etcd:2379\"]", "Addresses of etcd."),
        later("ca", .file(isSecret: false), sample: "etcd-ca.pem", "Authority of etcd."),
        later("certificate", .file(isSecret: false), sample: "etcd.pem", "The client certificate."),
        later("key", .file(isSecret: true), sample: "etcd.key", "Its key."),
        later(
          "ttl", .duration(atLeast: .seconds(1), atMost: .seconds(3_600)), standard: "15s",
          "How long a claim holds."),
      ], "Several gateways.")
  ]
}
