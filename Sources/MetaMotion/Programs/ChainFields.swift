import FleetModel

/// The fields of a chain's samples, as the contract names them (MQTT contract 2.5).
struct ChainFields: Hashable, Sendable {
  /// First to last.
  private(set) var fields: [StreamDefinition.Field] = []
  private var parts: [String]

  /// The fields of `chain`, which yields `layout`. Where unlike values were put side by side, `parts` are their keys.
  init(_ chain: String, _ layout: SampleLayout, parts: [String] = []) {
    self.parts = parts.count == layout.valueCount ? parts.reversed() : []
    add(layout, Self.stem(of: chain))
  }

  /// Field names, first to last.
  var names: [String] { fields.map(\.name) }

  /// The unit of all that have one; empty where there is none, or several.
  var unit: String {
    let units = Set(fields.map(\.unit)).subtracting([""])
    return units.count == 1 ? units.first ?? "" : ""
  }

  private static func stem(of chain: String) -> String { chain.split(separator: "-").joined(separator: "_") }

  private mutating func add(_ layout: SampleLayout, _ stem: String) {
    switch layout {
    case .packed(_, let inner): add(inner, stem)
    case .prefixed(let prefix, let inner):
      // A tick becomes the stamp; a number is a field of its own.
      if prefix.kind == .number { fields.append(.init("\(stem)_number", "", .integer)) }
      add(inner, stem)
    case .record(let inner):
      for (place, part) in inner.enumerated() { add(part, parts.isEmpty ? "\(stem)_\(place)" : stem) }
    case .numbers(let numbers):
      for component in Self.components(of: numbers) {
        let suffix = numbers.unit == .none ? "" : "_\(numbers.unit.rawValue)"
        let name = parts.popLast().map { "\(stem)_\($0)" } ?? stem + component + suffix
        fields.append(.init(name, numbers.unit.words, numbers.kind, decimals: numbers.decimals))
      }
    }
  }

  private static func components(of numbers: Numbers) -> [String] {
    switch numbers.channels {
    case ...1: [""]
    case 4: numbers.unit == .deg ? ["_heading", "_pitch", "_roll", "_yaw"] : ["_w", "_x", "_y", "_z"]
    default: Array(["_x", "_y", "_z"].prefix(numbers.channels))
    }
  }

  /// As in the catalogue.
  var json: JSONValue {
    .array(
      fields.map { ["name": .string($0.name), "unit": .string($0.unit), "type": .string($0.kind.rawValue)] })
  }
}

extension SampleLayout {
  /// Values in one sample, without an accounter's number.
  fileprivate var valueCount: Int {
    switch self {
    case .numbers(let numbers): numbers.channels
    case .record(let parts): parts.reduce(0) { $0 + $1.valueCount }
    case .prefixed(_, let inner), .packed(_, let inner): inner.valueCount
    }
  }
}

extension Numbers {
  fileprivate var kind: StreamDefinition.Field.Kind { isFloat || scale != 1 ? .number : .integer }

  /// Digits that tell at least four steps per count (MQTT contract 0), and never fewer than streams of the unit have:
  /// an average or a difference lies between the counts. Fractions have as many as fusion's streams.
  fileprivate var decimals: Int {
    guard !isFloat else { return unit == .none ? 6 : unit == .g ? 5 : 4 }
    guard scale != 1 else { return 0 }
    var (digits, steps) = (0, 1.0)
    while steps < 4 * scale, digits < 9 { (digits, steps) = (digits + 1, steps * 10) }
    return max(digits, Self.streamDecimals[unit.words] ?? 0)
  }

  private static let streamDecimals = Dictionary(
    StreamCatalogue.all.flatMap(\.fields).filter { $0.kind == .number && !$0.unit.isEmpty }
      .map { ($0.unit, $0.decimals) }, uniquingKeysWith: max)
}

extension Numbers.Unit {
  /// As the catalogue writes it.
  var words: String {
    switch self {
    case .none: ""
    case .g: "g"
    case .dps: "°/s"
    case .ut: "µT"
    case .pa: "Pa"
    case .m: "m"
    case .c: "°C"
    case .pct: "%"
    case .lx: "lx"
    case .mv: "mV"
    case .deg: "°"
    }
  }
}
