import FleetModel

extension ValueForm<TLSConfiguration?> {
  /// `true`, `false`, or the files.
  static let tls = ValueForm(
    shape: .value(
      words: "true, false, or a mapping with ca, certificate, key",
      schema: ["anyOf": [["type": "boolean"], .object(JSONSchema.of(files.shape))]])
  ) { node, path, reading in
    if let text = node.text, !node.isEmpty {
      switch text {
      case "true": return .some(TLSConfiguration())
      case "false": return .some(nil)
      default:
        reading.error(
          path, node.position,
          "\(path) must be true, false, or a mapping with ca, certificate, key, not \(node.described)")
        return nil
      }
    }
    guard let tls = files.read(node, path, &reading) else { return nil }
    if (tls.certificate == nil) != (tls.key == nil) {
      reading.error(path, node.position, "\(path) needs certificate and key together, or neither")
    }
    return tls
  } write: {
    $0 == nil ? "false" : "true"
  }

  private static let files = ValueForm<TLSConfiguration>.record(
    [
      ConfigurationKey(
        "ca", .file, \.authority, .reconnect, "Authorities we trust.", sample: "ca.pem",
        whenMissing: "the system's"),
      ConfigurationKey(
        "certificate", .file, \.certificate, .reconnect, "Our certificate.", sample: "client.pem",
        whenMissing: "none"),
      ConfigurationKey(
        "key", .secretFile, \.key, .reconnect, "Its key.", sample: "client.key", whenMissing: "none"),
    ], from: TLSConfiguration())
}
