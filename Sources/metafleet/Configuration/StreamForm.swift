import FleetModel

extension ValueForm<[String: StreamRequest]> {
  /// Streams by name, each with its configuration from the catalogue.
  static func streams(for use: StreamUse) -> ValueForm {
    ValueForm(shape: .streams(use)) {
      node, path, reading in
      guard let members = reading.members(of: node, path) else { return nil }
      var streams: [String: StreamRequest] = [:]
      for member in members {
        streams[member.key] = request(member, for: use, "\(path).\(member.key)", &reading)
      }
      if use == .stream, let warning = LinkLoad(of: streams.values).warning {
        reading.report(.warning, path, node.position, "\(path) \(warning)")
      }
      return streams
    } write: {
      $0.isEmpty ? "{}" : nil
    }
  }

  private static func request(
    _ member: YAMLNode.Member, for use: StreamUse, _ path: String, _ reading: inout Reading
  ) -> StreamRequest? {
    let chain = reading.chainNames.contains(member.key) ? ChainStream(name: member.key) : nil
    guard let stream = chain?.definition ?? StreamCatalogue.find(member.key)?.stream else {
      refuse(member, path, &reading)
      return nil
    }
    guard use == .stream || stream.isLoggable else {
      reading.error(path, member.position, "boards cannot log \(member.key)")
      return nil
    }
    guard var members = reading.members(of: member.value, path) else { return nil }
    var acceptNearest = false
    if let nearest = members.first(where: { $0.key == "nearest" }) {
      acceptNearest = ValueForm<Bool>.boolean.read(nearest.value, "\(path).nearest", &reading) ?? false
      members.removeAll { $0.key == "nearest" }
    }
    let parameters = stream.parameters(for: use)
    let known = Dictionary(parameters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var configuration = JSONObject()
    for member in members {
      guard let parameter = known[member.key] else {
        reading.error(
          "\(path).\(member.key)", member.position, unknown(member.key, of: stream.name, among: parameters))
        continue
      }
      // One key at a time, so that every wrong one is named with its place.
      let value = member.value.json(as: parameter.type)
      do throws(CommandFailure) {
        _ = try ArgumentValidation.validate(
          [member.key: value], against: [parameter], of: stream.name, acceptNearest: acceptNearest)
        configuration[member.key] = value
      } catch {
        reading.error("\(path).\(member.key)", member.value.position, error.message)
      }
    }
    do throws(CommandFailure) {
      let valid = try stream.configure(configuration, for: use, acceptNearest: acceptNearest)
      return StreamRequest(name: member.key, configuration: valid.values)
    } catch {
      reading.error(path, member.position, error.message)
      return nil
    }
  }

  private static func refuse(_ member: YAMLNode.Member, _ path: String, _ reading: inout Reading) {
    if LaterKeys.hasStream(member.key) {
      reading.report(.warning, path, member.position, "\(path) is not in effect in this version")
      return
    }
    let names = StreamCatalogue.all.map(\.name) + reading.chainNames.sorted()
    let advice =
      Suggestion.nearest(to: member.key, in: names).map { "did you mean \($0)?" }
      ?? "there are \(names.joined(separator: ", "))"
    reading.error(path, member.position, "there is no stream \(quoted(member.key)); \(advice)")
  }

  private static func unknown(_ key: String, of stream: String, among parameters: [Parameter]) -> String {
    let names = parameters.map(\.name)
    let advice =
      Suggestion.nearest(to: key, in: names).map { "did you mean \($0)?" }
      ?? "it takes \(names.joined(separator: ", "))"
    return "\(stream) has no key \(quoted(key)); \(advice)"
  }
}

extension YAMLNode {
  /// The node as the value a parameter wants. What does not fit stays text, and is refused as that.
  func json(as type: ParameterType) -> JSONValue {
    switch content {
    case .scalar(let text, let isPlain):
      switch type {
      case .integer, .number, .offered, .instant: Self.number(text) ?? .string(text)
      case .boolean: text == "true" ? true : text == "false" ? false : .string(text)
      case .choice, .text, .bytes, .duration, .name, .boardName, .address, .identifier: .string(text)
      case .anything: isPlain ? plain(text) : .string(text)
      case .object: isEmpty ? .object(JSONObject()) : .string(text)
      case .list, .map: .string(text)
      case .either(let forms):
        isPlain && forms.contains(where: \.isNumeric) ? Self.number(text) ?? .string(text) : .string(text)
      }
    case .mapping(let members):
      .object(
        JSONObject(
          members.map { member in (member.key, member.value.json(as: type.member(member.key))) }))
    case .sequence(let elements):
      .array(elements.map { $0.json(as: type.element) })
    case .tagged(let tag): .string(tag)
    }
  }

  /// What an unquoted scalar means by itself.
  private func plain(_ text: String) -> JSONValue {
    if isEmpty { return .object(JSONObject()) }
    return text == "true" ? true : text == "false" ? false : Self.number(text) ?? .string(text)
  }

  private static func number(_ text: String) -> JSONValue? {
    if let whole = Int64(text) { return .integer(whole) }
    return DecimalText.number(text).map { .number($0) }
  }
}

extension ParameterType {
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer, .number, .offered: true
    default: false
    }
  }

  /// The type of a member of an object of this type.
  fileprivate func member(_ name: String) -> ParameterType {
    switch self {
    case .object(let members): members.first { $0.name == name }?.type ?? .text(0...4096)
    case .map(let value, _): value
    case .anything: self
    case .either(let forms):
      forms.first { if case .object = $0 { true } else { false } }?.member(name) ?? .text(0...4096)
    default: .text(0...4096)
    }
  }

  /// The type of an element of a list of this type.
  fileprivate var element: ParameterType {
    switch self {
    case .list(let element, _): element
    case .anything: self
    default: .text(0...4096)
    }
  }
}
