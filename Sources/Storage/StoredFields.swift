internal import FleetModel

/// The fields of a stream's samples as they lie in columns: a JSON array with an object for each.
enum StoredFields {
  static func encode(_ fields: [StreamDefinition.Field]) -> [UInt8] { JSONWriter.bytes(of: json(fields)) }

  static func decode(_ bytes: [UInt8], of stream: String) throws(StoreFailure) -> [StreamDefinition.Field] {
    guard let elements = (try? StrictJSON.parse(bytes, limits: .trusting))?.array else {
      throw .corrupt("fields of \(stream)")
    }
    let fields = read(elements, of: stream)
    guard fields.count == elements.count else { throw .corrupt("fields of \(stream)") }
    return fields
  }

  static func json(_ fields: [StreamDefinition.Field]) -> JSONValue {
    .array(
      fields.map { field in
        [
          "name": .string(field.name), "unit": .string(field.unit), "kind": .string(field.kind.rawValue),
          "decimals": .integer(Int64(field.decimals)),
        ]
      })
  }

  /// What can be measured is the catalogue's to say, and is not stored.
  static func read(_ elements: [JSONValue], of stream: String) -> [StreamDefinition.Field] {
    let declared = StreamCatalogue.find(stream)?.stream.fields ?? []
    return elements.compactMap { $0.object.flatMap { field($0, as: declared) } }
  }

  private static func field(
    _ object: JSONObject, as declared: [StreamDefinition.Field]
  ) -> StreamDefinition.Field? {
    guard let name = object["name"]?.string, let unit = object["unit"]?.string else { return nil }
    let known = declared.first { $0.name == name }
    return StreamDefinition.Field(
      name, unit, object["kind"]?.string.flatMap { .init(rawValue: $0) } ?? .number,
      decimals: object["decimals"]?.integer.map { Int($0) } ?? 0, possible: known?.possible,
      isKeptByPacket: known?.isKeptByPacket ?? false)
  }
}
