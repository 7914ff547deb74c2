import FleetModel

/// Every key of the configuration as one object each, for programs: the example without its prose.
enum KeyListing {
  static var objects: [JSONObject] {
    objects(of: ConfigurationSchema.keys.map { $0.describe(FleetConfiguration()) }, below: "")
  }

  private static func objects(of keys: [KeyDescription], below prefix: String) -> [JSONObject] {
    keys.flatMap { key in
      let path = prefix + key.name
      return switch key.shape {
      case .record(let members): objects(of: members, below: path + ".")
      case .map(_, .record(let members)): objects(of: members, below: path + ".<name>.")
      case .list(.record(let members)): objects(of: members, below: path + "[].")
      default: [object(of: key, at: path)]
      }
    }
  }

  private static func object(of key: KeyDescription, at path: String) -> JSONObject {
    var object: JSONObject = [
      "key": .string(path), "text": .string(key.summary), "takes": .string(key.shape.words),
    ]
    object["default"] = key.standard.map { .string($0) }
    object["when_missing"] = key.whenMissing.map { .string($0) }
    if key.isRequired { object["required"] = true }
    object["reload"] = key.reload.map { .string($0.rawValue) }
    object["in_effect"] = .bool(key.isInEffect)
    return object
  }
}
