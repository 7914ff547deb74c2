import FleetModel

/// How a kind of value is written in the file: how it is read and checked, how a default looks, what people are told.
struct ValueForm<Value: Sendable>: Sendable {
  /// What people and schemas are told.
  let shape: ValueShape
  /// Reads a node; nil when it is wrong, which is then reported.
  let read: @Sendable (YAMLNode, _ path: String, inout Reading) -> Value?
  /// A value as the file would have it; nil when it is not worth showing.
  let write: @Sendable (Value) -> String?
}

extension ValueForm {
  /// A scalar: its text is read as the type its key wants.
  static func scalar(
    _ words: String, schema: JSONObject = ["type": "string"],
    write: @escaping @Sendable (Value) -> String? = { _ in nil },
    parse: @escaping @Sendable (String) throws(Refusal) -> Value
  ) -> ValueForm {
    ValueForm(shape: .value(words: words, schema: schema)) { node, path, reading in
      guard let text = node.text else {
        reading.error(path, node.position, "\(path) must be \(words), not \(node.described)")
        return nil
      }
      do throws(Refusal) {
        return try parse(text)
      } catch {
        let hint = error.hint.map { "; \($0)" } ?? ""
        reading.error(path, node.position, "\(path) must be \(words), not \(node.described)\(hint)")
        return nil
      }
    } write: {
      write($0)
    }
  }

  /// The same values, told apart or changed further.
  func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other, back: @escaping @Sendable (Other) -> Value?
  ) -> ValueForm<Other> {
    ValueForm<Other>(shape: shape) { node, path, reading in
      read(node, path, &reading).map(transform)
    } write: {
      back($0).flatMap(write)
    }
  }
}

extension ValueForm {
  /// The word `auto`, which means nil, or a value.
  static func automatic<Wrapped: Sendable>(or form: ValueForm<Wrapped>) -> ValueForm
  where Value == Wrapped? {
    let schema: JSONObject = ["anyOf": [["const": "auto"], .object(JSONSchema.of(form.shape))]]
    return ValueForm(shape: .value(words: "auto, or \(form.shape.words)", schema: schema)) {
      node, path, reading in
      if node.text == "auto" { return .some(nil) }
      return form.read(node, path, &reading).map { .some($0) }
    } write: { value in
      value.map(form.write) ?? "auto"
    }
  }

  /// A list of values, or nothing.
  static func list<Element: Sendable>(
    of element: ValueForm<Element>, atMost limit: Int
  ) -> ValueForm where Value == [Element] {
    ValueForm(shape: .list(element.shape)) { node, path, reading in
      guard let elements = node.elements else {
        reading.error(path, node.position, "\(path) must be a list, not \(node.described); write [a, b]")
        return nil
      }
      if elements.count > limit {
        reading.error(
          path, node.position, "\(path) has \(elements.count) entries; at most \(limit) are allowed")
      }
      return elements.enumerated().compactMap { index, node in
        element.read(node, "\(path)[\(index)]", &reading)
      }
    } write: { elements in
      "[" + elements.compactMap(element.write).joined(separator: ", ") + "]"
    }
  }

  /// A mapping from names of a kind to values.
  static func map<Element: Sendable>(
    keys: ValueForm<String>, pattern: String, to element: ValueForm<Element>, atMost limit: Int = .max
  ) -> ValueForm where Value == [String: Element] {
    ValueForm(shape: .map(keyPattern: pattern, element.shape)) { node, path, reading in
      guard let members = reading.members(of: node, path) else { return nil }
      if members.count > limit {
        reading.error(path, node.position, "\(path) has \(members.count) keys; at most \(limit) are allowed")
      }
      var values: [String: Element] = [:]
      for member in members {
        let name = YAMLNode(content: .scalar(member.key, isPlain: false), position: member.position)
        let inner = "\(path).\(member.key)"
        guard keys.read(name, "a key of \(path)", &reading) != nil else { continue }
        values[member.key] = element.read(member.value, inner, &reading)
      }
      return values
    } write: {
      $0.isEmpty ? "{}" : nil
    }
  }
}
