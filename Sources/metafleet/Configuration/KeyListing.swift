import FleetModel

/// Every key of the configuration as one object each, for programs: the example without its prose.
enum KeyListing {
  static var objects: [JSONObject] { ConfigurationKeys.leaves.map { object(of: $0.key, at: $0.path) } }

  /// Those of the file for clients.
  static var clientObjects: [JSONObject] {
    ConfigurationKeys.leaves(of: ClientKeys.file).map { object(of: $0.key, at: $0.path) }
  }

  private static func object(of key: Parameter, at path: String) -> JSONObject {
    var object: JSONObject = [
      "key": .string(path), "text": .string(key.summary), "takes": .string(key.type.fileWords),
    ]
    object["default"] = YAMLText.standard(of: key).map { .string($0) }
    object["when_missing"] = key.file?.whenMissing.map { .string($0) }
    if key.isRequired { object["required"] = true }
    object["reload"] = key.file?.reload.map { .string($0.rawValue) }
    if let file = key.file, file.reload == .live { object["reaches"] = .string(file.reach.rawValue) }
    object["in_effect"] = .bool(key.file?.isInEffect ?? true)
    return object
  }
}
