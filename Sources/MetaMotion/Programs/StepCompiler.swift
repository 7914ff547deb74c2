import FleetModel

/// Turns a declared step into what is written to the board (MQTT contract 3.8).
struct StepCompiler: Sendable {
  let dialect: ProcessorDialect

  /// The operation of `step` on `input`. Throws `invalid` for what cannot be meant, `unsupported` for what this board
  /// cannot. A fuser's buffers are filled in by whoever knows their slots.
  func operation(_ step: ChainStep, on input: SampleLayout) throws(CommandFailure) -> any ProcessorOperation {
    try checkUnits(of: step, on: input)
    var operation = try build(step, on: input)
    if let comparator = operation as? Comparator { operation = comparator.unmistakable }
    if let refusal = operation.refusal(of: input, on: dialect) {
      let message = "\(step.type) \(refusal.reason)"
      throw refusal.isOfBoard ? CommandFailure(.unsupported, message) : .invalid(message)
    }
    if Self.isFloat(input), !Self.takesFloats(operation) {
      throw .invalid("\(step.type) cannot work on fractions, which fusion yields")
    }
    if input.hasBigEndian, !Self.takesAnyBytes(operation) {
      throw .invalid(
        "\(step.type) would take the lowest byte for the highest: processors compute with numbers whose lowest byte "
          + "comes first (big_endian false), or of one byte")
    }
    return operation
  }

  private static func isFloat(_ input: SampleLayout) -> Bool {
    switch input {
    case .numbers(let numbers): numbers.isFloat
    case .record(let parts): parts.contains(where: isFloat)
    case .prefixed(_, let inner), .packed(_, let inner): isFloat(inner)
    }
  }

  private static func takesFloats(_ operation: any ProcessorOperation) -> Bool {
    switch operation {
    case is Passthrough, is SampleDelay, is Buffer, is Fuser: true
    case let limiter as TimeLimiter: limiter.mode == .absolute
    default: false
    }
  }

  /// Whether it only passes samples on, or counts them.
  private static func takesAnyBytes(_ operation: any ProcessorOperation) -> Bool {
    switch operation {
    case is Packer, is Accounter: true
    case let accumulator as Accumulator: accumulator.mode == .count
    default: takesFloats(operation)
    }
  }

  /// A parameter in the unit of the samples says so in its name.
  private func checkUnits(of step: ChainStep, on input: SampleLayout) throws(CommandFailure) {
    var unit = input.numbers?.unit.rawValue ?? ""
    if step.type == "math", MathOperation.Kind(step.parameters["op"]?.string ?? "")?.isInUnit != true {
      unit = ""
    }
    for (name, given) in step.units.sorted(by: { $0.key < $1.key })
    where given != unit && step.parameters[name] != nil {
      // What has a default and was not given has no name that could be wrong.
      let right = unit.isEmpty ? name : "\(name)_\(unit)"
      throw .invalid("\(step.type) takes \(right) here, not \(given.isEmpty ? name : "\(name)_\(given)")")
    }
  }

  private func build(_ step: ChainStep, on input: SampleLayout) throws(CommandFailure)
    -> any ProcessorOperation
  {
    let keys = step.parameters
    func number(_ key: String) -> Double { keys[key]?.number ?? 0 }
    func byte(_ key: String) -> UInt8 { UInt8(clamping: keys[key]?.integer ?? 0) }
    func word(_ key: String) -> String { keys[key]?.string ?? "" }
    switch step.type {
    case "passthrough":
      let modes: [String: Passthrough.Mode] = ["conditional": .conditional, "count": .count]
      return Passthrough(modes[word("mode")] ?? .all, count: UInt16(clamping: keys["count"]?.integer ?? 0))
    case "accumulator": return Accumulator(.sum, of: input, size: Int(byte("size")))
    case "counter": return Accumulator(.count, of: input, size: Int(byte("size")))
    case "average": return Average(of: input, depth: byte("depth"), on: dialect)
    case "high-pass": return Average(of: input, depth: byte("depth"), isHighPass: true, on: dialect)
    case "comparator":
      let values = keys["value"]?.array?.compactMap(\.number) ?? [number("value")]
      return Comparator(
        Comparator.Operation(word("op")), values, Comparator.Mode(word("mode")), of: input, on: dialect)
    case "rms": return Combiner(.rms, of: input)
    case "rss": return Combiner(.rss, of: input)
    case "time":
      return TimeLimiter(
        word("mode") == "differential" ? .differential : .absolute,
        milliseconds: UInt32(clamping: keys["period_ms"]?.integer ?? 0), of: input, on: dialect)
    case "math":
      let kind = MathOperation.Kind(word("op")) ?? .add
      guard !kind.isBinary || keys["value"] != nil else { throw .invalid("math \(word("op")) needs value") }
      return MathOperation(kind, number("value"), of: input, on: dialect)
    case "delay": return SampleDelay(byte("samples"), of: input)
    case "pulse":
      let outputs: [String: Pulse.Output] = ["width": .width, "area": .area, "peak": .peak]
      return Pulse(
        outputs[word("output")] ?? .detection, threshold: number("threshold"),
        samples: UInt16(clamping: keys["samples"]?.integer ?? 0), of: input)
    case "delta":
      let modes: [String: Delta.Mode] = ["differential": .differential, "binary": .binary]
      return Delta(modes[word("mode")] ?? .absolute, magnitude: number("magnitude"), of: input)
    case "threshold":
      return Threshold(
        word("mode") == "binary" ? .binary : .absolute, boundary: number("boundary"),
        hysteresis: number("hysteresis"), of: input)
    case "buffer": return Buffer(of: input)
    case "packer": return Packer(Int(byte("count")), of: input)
    case "accounter": return Accounter(word("mode") == "count" ? .number : .tick, of: input)
    case "fuser": return Fuser([])
    default: throw .invalid("there is no processor type \(step.type)")
    }
  }
}

extension Comparator.Operation {
  fileprivate init(_ sign: String) {
    let signs: [String: Comparator.Operation] = [
      "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
    ]
    self = signs[sign] ?? .equal
  }
}

extension Comparator.Mode {
  fileprivate init(_ word: String) {
    let words: [String: Comparator.Mode] = ["reference": .reference, "zone": .zone, "binary": .binary]
    self = words[word] ?? .absolute
  }
}

extension MathOperation.Kind {
  init?(_ word: String) {
    let words: [String: MathOperation.Kind] = [
      "add": .add, "subtract": .subtract, "multiply": .multiply, "divide": .divide, "modulus": .modulus,
      "exponent": .exponent, "sqrt": .squareRoot, "left-shift": .leftShift, "right-shift": .rightShift,
      "abs": .absolute, "constant": .constant,
    ]
    guard let kind = words[word] else { return nil }
    self = kind
  }
}
