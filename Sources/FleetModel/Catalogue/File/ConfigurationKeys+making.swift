/// How keys of the file are declared.
extension ConfigurationKeys {
  /// A key; a change of it takes effect on reload, and no board notices, unless it says otherwise.
  static func key(
    _ name: String, _ type: ParameterType, required: Bool = false, standard: JSONValue? = nil,
    sample: String? = nil, whenMissing: String? = nil, reload: FileKey.Reload = .live,
    reach: FileKey.Reach = .nothing, formerly formerName: String? = nil, _ summary: String
  ) -> Parameter {
    Parameter(
      name, type, required: required, standard: standard,
      file: FileKey(
        reload: reload, reach: reach, whenMissing: whenMissing, sample: sample, formerName: formerName),
      summary
    )
  }

  /// A group of keys.
  static func section(
    _ name: String, _ keys: [Parameter], defaults: JSONObject = [:], _ summary: String
  ) -> Parameter {
    Parameter(name, .object(withDefaults(keys, from: defaults)), file: FileKey(), summary)
  }

  /// A key of the contract whose feature does not exist yet.
  static func later(
    _ name: String, _ type: ParameterType, standard: JSONValue? = nil, sample: String? = nil,
    _ summary: String
  ) -> Parameter {
    Parameter(
      name, type, standard: standard, file: FileKey(sample: sample, isInEffect: false), summary)
  }

  /// A group of keys none of which has an effect yet.
  static func laterSection(_ name: String, _ keys: [Parameter], _ summary: String) -> Parameter {
    Parameter(name, .object(keys), file: FileKey(isInEffect: false), summary)
  }

  /// The keys with their defaults, which are what `values` hold that nobody configured.
  static func withDefaults(_ keys: [Parameter], from values: JSONObject) -> [Parameter] {
    keys.map { key in
      guard let value = values[key.name] else { return key }
      if case .object(let members) = key.type {
        return Parameter(
          key.name, .object(withDefaults(members, from: value.object ?? [:])), file: key.file, key.summary)
      }
      guard key.file?.whenMissing == nil else { return key }
      return Parameter(key.name, key.type, standard: value, file: key.file, key.summary)
    }
  }
}
