import FleetModel

/// Makes arguments that a declaration allows, so that the fuzzer gets past the checks; it reaches the checks themselves
/// by `Surface.request`.
struct ArgumentGenerator {
  var input: FuzzInput

  /// The required parameters, and others now and then.
  mutating func object(_ parameters: [Parameter]) -> JSONObject {
    var object = JSONObject()
    for parameter in parameters where parameter.isRequired || input.byte() & 1 == 1 {
      object[parameter.name] = value(parameter.type)
    }
    return object
  }

  private mutating func value(_ type: ParameterType) -> JSONValue {
    switch type {
    case .integer(let range):
      let width = Double(range.upperBound) - Double(range.lowerBound)
      return .integer(Int64(Double(range.lowerBound) + (width * fraction()).rounded(.down)))
    case .number(let range):
      return .number(range.lowerBound + (range.upperBound - range.lowerBound) * fraction())
    case .boolean: return .bool(input.byte() & 1 == 1)
    case .offered(let values): return .number(input.element(of: values) ?? 0)
    case .choice(let words): return .string(input.element(of: words) ?? "")
    case .text(let range), .displayName(let range):
      let count = min(range.upperBound, range.lowerBound + input.number(below: 64))
      return .string(input.some(count).map { String(UnicodeScalar($0 & 0x7F)) }.joined())
    case .duration: return .string("\(1 + input.number(below: 255))s")
    case .object(let members): return .object(object(members))
    case .bytes(let range): return .string(Hex.string(input.some(count(in: range))))
    case .address: return .string(Hex.string(input.some(6)))
    case .identifier(let most): return .string(String(repeating: "i", count: 1 + input.number(below: most)))
    case .instant: return .integer(Int64(input.number(below: .max)))
    // Read by rules of its own: something of every shape.
    case .anything:
      let step: JSONValue = input.byte() & 1 == 1 ? "rms" : ["average": .integer(Int64(input.byte()))]
      return input.byte() & 1 == 1 ? .array([step]) : ["verb": "led", "args": ["state": "PLAY"]]
    case .name, .boardName: return .string(input.element(of: ["a", "b", "c"]) ?? "a")
    case .list(let element, let range): return .array((0..<count(in: range)).map { _ in value(element) })
    case .map(_, let element, let range):
      var object = JSONObject()
      for number in 0..<count(in: range) { object["k\(number)"] = value(element) }
      return .object(object)
    case .word(let most): return .string(String(repeating: "w", count: 1 + input.number(below: most)))
    case .size: return .string("\(1 + input.number(below: 255))MiB")
    case .percent: return .string("\(input.number(below: 101))%")
    case .scheduleRule: return .string("every \(1 + input.number(below: 255))m")
    case .hours: return .string("0\(input.number(below: 9)):00-17:00")
    case .topicLevels: return .string(input.element(of: ["m", "a/b"]) ?? "m")
    case .listenAddress: return .string(input.element(of: ["none", "[::1]:9464", "unix:/s"]) ?? "none")
    case .file, .directory: return .string("/nowhere")
    case .streams: return ["acceleration": .object([:])]
    case .programs: return ["a": .object([:])]
    case .settings: return ["tx_dbm": .integer(Int64(input.byte()))]
    case .worded(_, let form): return value(form)
    case .either(let forms): return input.element(of: forms).map { value($0) } ?? .null
    }
  }

  private mutating func count(in range: ClosedRange<Int>) -> Int {
    min(range.upperBound, range.lowerBound + input.number(below: 4))
  }

  /// From 0 to 1, both ends likely.
  private mutating func fraction() -> Double { Double(input.byte()) / 255 }
}
