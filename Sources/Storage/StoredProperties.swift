internal import FleetModel

/// User properties as they lie in columns: a JSON array of names and values; NULL where there are none.
enum StoredProperties {
  static func encode(_ properties: [UserProperty]) -> [UInt8]? {
    if properties.isEmpty { return nil }
    let elements = properties.map { property -> JSONValue in
      ["name": .string(property.name), "value": .string(property.value)]
    }
    return JSONWriter.bytes(of: .array(elements))
  }

  static func decode(_ bytes: [UInt8]?) throws(StoreFailure) -> [UserProperty] {
    guard let bytes else { return [] }
    let elements = (try? StrictJSON.parse(bytes, limits: .trusting))?.array
    let properties = elements?.compactMap { element -> UserProperty? in
      guard let name = element.object?["name"]?.string, let value = element.object?["value"]?.string else {
        return nil
      }
      return UserProperty(name, value)
    }
    guard let properties, properties.count == elements?.count else { throw .corrupt("user properties") }
    return properties
  }
}
