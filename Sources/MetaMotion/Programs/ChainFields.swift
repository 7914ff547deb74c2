import FleetModel

/// The fields of a chain's samples, as the contract names them (MQTT contract 2.5).
struct ChainFields: Hashable, Sendable {
  /// Field names, first to last.
  private(set) var names: [String] = []
  /// Of the samples; empty for none.
  private(set) var unit = ""
  private var kinds: [String] = []

  /// The fields of `chain`, which yields `layout`.
  init(_ chain: String, _ layout: SampleLayout) {
    let stem = chain.split(separator: "-").joined(separator: "_")
    add(layout, stem)
  }

  private mutating func add(_ layout: SampleLayout, _ stem: String) {
    switch layout {
    case .packed(_, let inner): add(inner, stem)
    case .prefixed(let prefix, let inner):
      // A tick becomes the stamp; a number is a field of its own.
      if prefix.kind == .number {
        names.append("\(stem)_number")
        kinds.append("integer")
      }
      add(inner, stem)
    case .record(let parts):
      for (place, part) in parts.enumerated() { add(part, "\(stem)_\(place)") }
    case .numbers(let numbers):
      unit = numbers.unit.rawValue
      let suffix = unit.isEmpty ? "" : "_\(unit)"
      let components: [String] =
        switch numbers.channels {
        case 1: [""]
        case 4: ["_w", "_x", "_y", "_z"]
        default: ["_x", "_y", "_z"]
        }
      for component in components.prefix(max(1, numbers.channels)) {
        names.append(stem + component + suffix)
        kinds.append(numbers.isFloat || numbers.scale != 1 ? "number" : "integer")
      }
    }
  }

  /// As in the catalogue.
  var json: JSONValue {
    .array(
      zip(names, kinds).map { name, kind in
        ["name": .string(name), "unit": .string(unit), "type": .string(kind)]
      })
  }
}
