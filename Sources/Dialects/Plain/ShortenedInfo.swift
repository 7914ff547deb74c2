import FleetModel

/// The `info` of a board for a broker that takes only small packets: the values that streams offer go first, then
/// modules, then streams, and `truncated` says so (MQTT contract 1.1). Pure.
enum ShortenedInfo {
  /// The document in at most `size` bytes; nil where it cannot be made so small.
  static func payload(of document: [UInt8], in size: Int) -> [UInt8]? {
    guard var object = (try? StrictJSON.parse(document, limits: .trusting))?.object else { return nil }
    object["truncated"] = true
    for shorten in [withoutOffers, withoutModules, withoutStreams] {
      shorten(&object)
      let payload = JSONWriter.render(object)
      if payload.count <= size { return payload }
    }
    return nil
  }

  private static func withoutOffers(_ object: inout JSONObject) {
    guard let streams = object["streams"]?.object else { return }
    object["streams"] = .object(
      JSONObject(
        streams.members.map { name, value in
          guard var stream = value.object else { return (name, value) }
          stream["offers"] = nil
          return (name, .object(stream))
        }))
  }

  private static func withoutModules(_ object: inout JSONObject) { object["modules"] = nil }

  private static func withoutStreams(_ object: inout JSONObject) { object["streams"] = nil }
}
