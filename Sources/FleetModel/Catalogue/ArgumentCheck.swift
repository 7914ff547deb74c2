/// Checks values against declared types, and notes everything that is wrong with them: arguments of verbs, keys of
/// streams, and the configuration file.
struct ArgumentCheck {
  /// Whether values that are not on a list become the nearest offered one.
  let acceptNearest: Bool
  /// What is wrong, in the order in which it was found.
  private(set) var faults: [ArgumentFault] = []
  /// Outermost keys below which a value was moved to the nearest offered one.
  private(set) var adjusted: Set<String> = []

  init(acceptNearest: Bool = false) { self.acceptNearest = acceptNearest }

  mutating func note(
    _ text: String, at place: ArgumentPlace, _ part: ArgumentFault.Part = .value,
    _ severity: ConfigurationProblem.Severity = .error
  ) {
    faults.append(ArgumentFault(place: place, part: part, severity: severity, text: text))
  }

  /// The members of `object` as `parameters` want them, in their order, with defaults filled in. What is unknown,
  /// missing or wrong is noted.
  mutating func members(
    of object: JSONObject, against parameters: [Parameter], at place: ArgumentPlace
  ) -> JSONObject {
    let names = parameters.map(\.name)
    let formerNames = parameters.compactMap(\.file?.formerName)
    for key in object.keys where !names.contains(key) && !formerNames.contains(key) {
      note(
        "\(place.title) has no key \(place.quoted(key)); \(Self.advice(key, among: names))",
        at: place.member(key), .key)
    }
    var values = JSONObject()
    for parameter in parameters {
      let key = writtenKey(of: parameter, in: object, at: place)
      let inner = place.member(key)
      guard let given = object[key] else {
        if parameter.isRequired {
          note(
            place.isPath
              ? "\(place.title) needs the key \(parameter.name)"
              : "\(place.title) needs \(parameter.name): \(parameter.type.words)", at: inner, .holder)
        }
        if let standard = parameter.standard { values[parameter.name] = standard }
        continue
      }
      values[parameter.name] = value(given, as: parameter.type, at: inner)
      if parameter.file?.isInEffect == false, !parameter.type.isObject {
        note("\(inner.name) is not in effect in this version", at: inner, .value, .warning)
      }
    }
    return values
  }

  /// What the parameter is called in `object`: by its name, or by its former one, which is noted.
  private mutating func writtenKey(
    of parameter: Parameter, in object: JSONObject, at place: ArgumentPlace
  ) -> String {
    guard let former = parameter.file?.formerName, object[former] != nil else { return parameter.name }
    let inner = place.member(former)
    guard object[parameter.name] == nil else {
      note(
        "\(inner.name) is the former name of \(parameter.name), which is there too; remove it", at: inner,
        .key)
      return parameter.name
    }
    note(
      "\(inner.name) is called \(parameter.name) now; rename it: the next version no longer reads \(former)",
      at: inner,
      .key, .warning)
    return former
  }

  /// The value as `type` wants it; nil where it is wrong, which is noted.
  mutating func value(
    _ value: JSONValue, as type: ParameterType, at place: ArgumentPlace
  ) -> JSONValue? {
    self.value(value, as: type, declared: type, at: place)
  }

  /// `declared` is the type as messages name it.
  private mutating func value(
    _ value: JSONValue, as type: ParameterType, declared: ParameterType, at place: ArgumentPlace
  ) -> JSONValue? {
    switch (type, value) {
    case (.worded(_, let inner), _):
      return self.value(value, as: inner, declared: declared, at: place)
    case (.object(let parameters), .object(let object)):
      return .object(members(of: object, against: parameters, at: place))
    case (.map(let keys, let element, let count), .object(let object)):
      return .object(map(object, keys: keys, of: element, count, at: place))
    case (.list(let element, let count), .array(let elements)):
      return .array(list(elements, of: element, count, declared: declared, at: place))
    case (.streams, .object), (.programs, .object), (.settings, .object):
      // Rules of their own read them.
      return value
    case (.offered(let offers), _):
      return choose(value, from: offers, at: place)
    case (.either(let forms), _):
      // An object or a list is judged by the one form that is one, so that the member at fault is named.
      if let form = forms.first(where: {
        value.object != nil && $0.isObject || value.array != nil && $0.isList
      }) {
        return self.value(value, as: form, declared: declared, at: place)
      }
      for form in forms {
        if let fitting = form.fitting(value) { return fitting }
      }
    default:
      if let fitting = type.fitting(value) { return fitting }
    }
    refuse(value, declared, at: place)
    return nil
  }

  private mutating func map(
    _ object: JSONObject, keys: NameForm, of element: ParameterType, _ count: ClosedRange<Int>,
    at place: ArgumentPlace
  ) -> JSONObject {
    if object.count > count.upperBound {
      note("\(place.name) has \(object.count) keys; at most \(count.upperBound) are allowed", at: place)
    }
    var values = JSONObject()
    for (key, given) in object.members {
      let inner = place.member(key)
      guard keys.fits(key) else {
        note("a key of \(place.name) must be \(keys.words), not \(place.quoted(key))", at: inner, .name)
        continue
      }
      values[key] = value(given, as: element, at: inner)
    }
    return values
  }

  private mutating func list(
    _ elements: [JSONValue], of element: ParameterType, _ count: ClosedRange<Int>, declared: ParameterType,
    at place: ArgumentPlace
  ) -> [JSONValue] {
    if elements.count > count.upperBound {
      note(
        "\(place.name) has \(CountText.entries(elements.count)); at most \(count.upperBound) are allowed",
        at: place)
    }
    if elements.count < count.lowerBound {
      note(
        "\(place.name) has \(CountText.entries(elements.count)); it takes \(place.words(of: declared))",
        at: place)
    }
    return elements.enumerated().compactMap { value($1, as: element, at: place.element($0)) }
  }

  private mutating func choose(
    _ value: JSONValue, from offers: [Double], at place: ArgumentPlace
  ) -> JSONValue? {
    guard let wanted = value.number else {
      note("\(place.name) must be a number, not \(place.describe(value))", at: place)
      return nil
    }
    if let same = ParameterType.offer(wanted, of: offers) { return JSONValue(plain: same) }
    // Ties go to the lower value: offers are declared in rising order and `min` keeps the first.
    guard let nearest = offers.min(by: { abs($0 - wanted) < abs($1 - wanted) }) else {
      note("\(place.name) is not supported by this board", at: place)
      return nil
    }
    if acceptNearest {
      if case .key(let outermost)? = place.steps.first { adjusted.insert(outermost) }
      return JSONValue(plain: nearest)
    }
    note(
      """
      \(place.title) \(ParameterType.plain(wanted)) is not offered by \(place.holder); offered \
      \(offers.map(ParameterType.plain).joined(separator: ", ")); write \(ParameterType.plain(nearest)), \
      or set nearest: true
      """, at: place)
    return nil
  }

  private mutating func refuse(_ value: JSONValue, _ type: ParameterType, at place: ArgumentPlace) {
    // How lists are written is YAML's.
    let hint = place.isPath || !type.isList ? type.hint(for: value).map { "; \($0)" } ?? "" : ""
    note("\(place.name) must be \(place.words(of: type)), not \(place.describe(value))\(hint)", at: place)
  }

  private static func advice(_ key: String, among names: [String]) -> String {
    if let near = Suggestion.nearest(to: key, in: names) { return "did you mean \(near)?" }
    return "it takes \(names.isEmpty ? "no keys" : names.joined(separator: ", "))"
  }
}

/// How a place speaks: to senders in the words of JSON, to who writes the file in those of YAML.
extension ArgumentPlace {
  /// "must be …".
  fileprivate func words(of type: ParameterType) -> String {
    guard isPath else { return type.words }
    if case .worded = type { return type.fileWords }
    if case .either = type { return type.fileWords }
    if type.isObject { return "a mapping of keys to values" }
    return type.isList ? "a list" : type.fileWords
  }

  fileprivate func describe(_ value: JSONValue) -> String {
    switch value {
    case .null: isInFile ? "nothing" : "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let text): quoted(text)
    case .array: "a list"
    case .object: isInFile ? "a mapping" : "an object"
    }
  }

  fileprivate func quoted(_ text: String) -> String {
    if isInFile { return PrintableText.quoted(text) }
    return "\"" + text.unicodeScalars.prefix(40).map { $0.escaped(asASCII: true) }.joined() + "\""
  }
}
