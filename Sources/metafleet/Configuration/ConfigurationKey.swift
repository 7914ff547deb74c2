import FleetModel

/// A key of the file, declared once: its name, form, target, default and what people are told. Checking, the
/// example and the schema come from this declaration.
struct ConfigurationKey<Root>: Sendable {
  typealias Target<Value> = any WritableKeyPath<Root, Value> & Sendable

  let name: String
  let isRequired: Bool
  /// What people are told; the default is taken from the given value.
  let describe: @Sendable (Root) -> KeyDescription
  /// Reads a value into its target.
  let read: @Sendable (YAMLNode, _ path: String, _ root: inout Root, inout Reading) -> Void

  private init(
    _ name: String, isRequired: Bool = false, describe: @escaping @Sendable (Root) -> KeyDescription,
    read: @escaping @Sendable (YAMLNode, String, inout Root, inout Reading) -> Void
  ) {
    self.name = name
    self.isRequired = isRequired
    self.describe = describe
    self.read = read
  }

  /// A key with a default.
  init<Value>(
    _ name: String, _ form: ValueForm<Value>, _ target: Target<Value>, _ reload: Reload, _ summary: String,
    sample: String? = nil, whenMissing: String? = nil, isRequired: Bool = false
  ) {
    self.init(name, isRequired: isRequired) { root in
      KeyDescription(
        name: name, summary: summary, shape: form.shape,
        standard: isRequired || whenMissing != nil ? nil : form.write(root[keyPath: target]),
        whenMissing: whenMissing, sample: sample, isRequired: isRequired, reload: reload, isInEffect: true)
    } read: { node, path, root, reading in
      if let value = form.read(node, path, &reading) { root[keyPath: target] = value }
    }
  }

  /// A key without a default: what happens then is said in words.
  init<Value>(
    _ name: String, _ form: ValueForm<Value>, _ target: Target<Value?>, _ reload: Reload, _ summary: String,
    sample: String, whenMissing: String
  ) {
    self.init(name) { _ in
      KeyDescription(
        name: name, summary: summary, shape: form.shape, standard: nil, whenMissing: whenMissing,
        sample: sample, isRequired: false, reload: reload, isInEffect: true)
    } read: { node, path, root, reading in
      if let value = form.read(node, path, &reading) { root[keyPath: target] = value }
    }
  }

  /// A group of keys.
  static func section<Section>(
    _ name: String, _ target: Target<Section>, _ keys: [ConfigurationKey<Section>], _ summary: String
  ) -> ConfigurationKey {
    ConfigurationKey(name) { root in
      KeyDescription(
        name: name, summary: summary,
        shape: .record(keys.map { $0.describe(root[keyPath: target]) }), standard: nil, whenMissing: nil,
        sample: nil, isRequired: false, reload: nil, isInEffect: true)
    } read: { node, path, root, reading in
      keys.read(node, path, into: &root[keyPath: target], &reading)
    }
  }

  /// A key that is read elsewhere and only checked here.
  static func checked<Value>(
    _ name: String, _ form: ValueForm<Value>, _ summary: String, sample: String, whenMissing: String
  ) -> ConfigurationKey {
    ConfigurationKey(name) { _ in
      KeyDescription(
        name: name, summary: summary, shape: form.shape, standard: nil, whenMissing: whenMissing,
        sample: sample, isRequired: false, reload: .live, isInEffect: true)
    } read: { node, path, _, reading in
      _ = form.read(node, path, &reading)
    }
  }

  /// A key of the contract whose feature does not exist yet: checked, and a warning.
  static func later<Value>(
    _ name: String, _ form: ValueForm<Value>, _ summary: String, standard: String? = nil,
    sample: String? = nil
  ) -> ConfigurationKey {
    ConfigurationKey(name) { _ in
      KeyDescription(
        name: name, summary: summary, shape: form.shape, standard: standard, whenMissing: nil,
        sample: sample, isRequired: false, reload: nil, isInEffect: false)
    } read: { node, path, _, reading in
      _ = form.read(node, path, &reading)
      reading.report(.warning, path, node.position, "\(path) is not in effect in this version")
    }
  }

  /// A group of keys none of which has an effect yet.
  static func laterSection(
    _ name: String, _ keys: [ConfigurationKey<Unread>], _ summary: String
  ) -> ConfigurationKey {
    ConfigurationKey(name) { _ in
      KeyDescription(
        name: name, summary: summary, shape: .record(keys.map { $0.describe(Unread()) }), standard: nil,
        whenMissing: nil, sample: nil, isRequired: false, reload: nil, isInEffect: false)
    } read: { node, path, _, reading in
      var nowhere = Unread()
      keys.read(node, path, into: &nowhere, &reading)
    }
  }
}

/// Where values go that nobody uses yet.
struct Unread: Sendable {}

extension [ConfigurationKey<Unread>] {
  /// These keys in a section that has a target of its own.
  func within<Root>(_: Root.Type) -> [ConfigurationKey<Root>] {
    map { key in
      ConfigurationKey<Root>(key)
    }
  }
}

extension ConfigurationKey {
  fileprivate init(_ key: ConfigurationKey<Unread>) {
    self.init(key.name) { _ in
      key.describe(Unread())
    } read: { node, path, _, reading in
      var nowhere = Unread()
      key.read(node, path, &nowhere, &reading)
    }
  }
}

extension Array {
  /// Reads the members of a mapping into `root`. Unknown and missing keys are problems.
  func read<Root>(
    _ node: YAMLNode, _ path: String, into root: inout Root, _ reading: inout Reading
  ) where Element == ConfigurationKey<Root> {
    guard let members = reading.members(of: node, path) else { return }
    let known = Dictionary(map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for member in members {
      let inner = path.isEmpty ? member.key : "\(path).\(member.key)"
      if let key = known[member.key] {
        key.read(member.value, inner, &root, &reading)
      } else {
        reading.error(inner, member.position, unknown(member.key, in: path))
      }
    }
    for key in self where key.isRequired && !members.contains(where: { $0.key == key.name }) {
      reading.error("\(path).\(key.name)", node.position, "\(path) needs the key \(key.name)")
    }
  }

  private func unknown<Root>(_ name: String, in path: String) -> String
  where Element == ConfigurationKey<Root> {
    let place = path.isEmpty ? "the file" : path
    let names = map(\.name)
    let advice =
      Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
      ?? "it takes \(names.joined(separator: ", "))"
    return "\(place) has no key \(quoted(name)); \(advice)"
  }
}

extension ValueForm {
  /// A mapping with these keys, as an element of a list or a map.
  static func record(_ keys: [ConfigurationKey<Value>], from prototype: Value) -> ValueForm {
    ValueForm(shape: .record(keys.map { $0.describe(prototype) })) { node, path, reading in
      guard node.members != nil else {
        _ = reading.members(of: node, path)
        return nil
      }
      var value = prototype
      keys.read(node, path, into: &value, &reading)
      return value
    } write: { _ in
      nil
    }
  }
}
