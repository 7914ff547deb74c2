/// Arguments or a stream configuration checked against its declaration: every value allowed, defaults filled in.
public struct ValidArguments: Sendable {
  /// The values, in the order of the declaration.
  public let values: JSONObject
  /// Keys whose value was moved to the nearest offered one, because the sender asked for that.
  public let adjusted: [String]
}

/// Checks objects against declared parameters. A typo never turns into a default.
public enum ArgumentValidation {
  /// Checks `arguments`. With `acceptNearest`, values that are not on a list become the nearest offered one.
  /// Throws `invalid`, naming the key, what is allowed, and for numbers on a list the nearest.
  public static func validate(
    _ arguments: JSONObject, against parameters: [Parameter], of subject: String, acceptNearest: Bool = false
  ) throws(CommandFailure) -> ValidArguments {
    let known = Dictionary(parameters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for key in arguments.keys where known[key] == nil {
      throw .invalid("\(subject) has no key \(quoted(key)); it takes \(list(parameters.map(\.name)))")
    }
    var values = JSONObject()
    var adjusted: [String] = []
    for parameter in parameters {
      guard let given = arguments[parameter.name] else {
        if parameter.isRequired {
          throw .invalid("\(subject) needs \(parameter.name): \(parameter.type.words)")
        }
        if let standard = parameter.standard { values[parameter.name] = standard }
        continue
      }
      let (value, moved) = try check(given, parameter, of: subject, acceptNearest: acceptNearest)
      values[parameter.name] = value
      if moved { adjusted.append(parameter.name) }
    }
    return ValidArguments(values: values, adjusted: adjusted)
  }

  private static func check(
    _ value: JSONValue, _ parameter: Parameter, of subject: String, acceptNearest: Bool
  ) throws(CommandFailure) -> (JSONValue, moved: Bool) {
    if case .offered(let offers) = parameter.type {
      return try choose(value, from: offers, parameter.name, of: subject, acceptNearest: acceptNearest)
    }
    if case .object(let members) = parameter.type, let object = value.object {
      let inner = try validate(
        object, against: members, of: parameter.name, acceptNearest: acceptNearest)
      return (.object(inner.values), !inner.adjusted.isEmpty)
    }
    if case .either(let forms) = parameter.type {
      // An object is judged by the one form that is an object, so that the message names the member at fault.
      for form in forms where value.object != nil {
        if case .object = form {
          return try check(value, parameter.with(form), of: subject, acceptNearest: acceptNearest)
        }
      }
      for form in forms {
        if let fitting = plainValue(value, as: form) { return (fitting, false) }
      }
    } else if let fitting = plainValue(value, as: parameter.type) {
      return (fitting, false)
    }
    throw .invalid(
      "\(parameter.name) of \(subject) must be \(parameter.type.words), not \(describe(value))")
  }

  private static func plainValue(_ value: JSONValue, as type: ParameterType) -> JSONValue? {
    switch type {
    case .integer(let range):
      value.integer.flatMap { range.contains($0) ? .integer($0) : nil }
    case .number(let range):
      value.number.flatMap { range.contains($0) ? number($0) : nil }
    case .boolean: value.bool.map { .bool($0) }
    case .choice(let words): value.string.flatMap { words.contains($0) ? .string($0) : nil }
    case .text(let range):
      value.string.flatMap { range.contains($0.unicodeScalars.count) ? .string($0) : nil }
    case .bytes(let range):
      value.string.flatMap { Hex.bytes($0) }.flatMap {
        range.contains($0.count) ? .string(Hex.string($0)) : nil
      }
    case .duration(let least):
      value.string.flatMap { DurationText.parse($0) }.flatMap { $0 >= least ? value : nil }
    case .offered(let offers):
      value.number.flatMap { number in offers.first { isSame(number, $0) } }.map(number)
    case .name:
      value.string.flatMap {
        ParameterType.isName($0, digitsFirst: true, further: "_-") ? .string($0) : nil
      }
    case .list(let element, let count):
      value.array.flatMap { elements in
        let fitting = elements.compactMap { plainValue($0, as: element) }
        return fitting.count == elements.count && count.contains(elements.count) ? .array(fitting) : nil
      }
    case .map(let element, let count):
      value.object.flatMap { object in
        let fitting = object.members.filter {
          ParameterType.isName($0.key, digitsFirst: false, further: "_")
            && plainValue($0.value, as: element) != nil
        }
        return fitting.count == object.count && count.contains(object.count) ? value : nil
      }
    case .boardName:
      value.string.flatMap {
        ParameterType.isName($0, digitsFirst: false, further: "-") ? .string($0) : nil
      }
    case .address: value.string.flatMap { BluetoothAddress($0) }.map { .string($0.compact) }
    case .identifier(let most):
      value.string.flatMap { ParameterType.isIdentifier($0, atMost: most) ? .string($0) : nil }
    case .instant: value.integer.flatMap { $0 >= 0 ? .integer($0) : nil }
    case .anything: value
    case .object, .either: nil
    }
  }

  private static func choose(
    _ value: JSONValue, from offers: [Double], _ name: String, of subject: String, acceptNearest: Bool
  ) throws(CommandFailure) -> (JSONValue, moved: Bool) {
    guard let wanted = value.number else {
      throw .invalid("\(name) of \(subject) must be a number, not \(describe(value))")
    }
    if let same = offers.first(where: { isSame(wanted, $0) }) { return (number(same), false) }
    // Ties go to the lower value: offers are declared in rising order and `min` keeps the first.
    guard let nearest = offers.min(by: { abs($0 - wanted) < abs($1 - wanted) }) else {
      throw .invalid("\(name) is not offered by \(subject)")
    }
    if acceptNearest { return (number(nearest), true) }
    throw .invalid(
      """
      \(name) \(ParameterType.plain(wanted)) is not offered by \(subject); offered \
      \(offers.map(ParameterType.plain).joined(separator: ", ")); nearest \(ParameterType.plain(nearest)) \
      (set nearest)
      """)
  }

  /// A value within 1 % of an offered one is that one: 0.78 means 0.78125.
  private static func isSame(_ value: Double, _ offer: Double) -> Bool {
    abs(value - offer) <= abs(offer) * 0.01
  }

  private static func number(_ value: Double) -> JSONValue {
    if let whole = Int64(exactly: value) { .integer(whole) } else { .number(value) }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "no keys" : names.joined(separator: ", ")
  }

  private static func quoted(_ key: String) -> String {
    "\"" + key.unicodeScalars.prefix(40).map { $0.escaped(asASCII: true) }.joined() + "\""
  }

  private static func describe(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let text): quoted(text)
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension Parameter {
  fileprivate func with(_ type: ParameterType) -> Parameter {
    Parameter(name, type, required: isRequired, standard: standard, summary)
  }
}
