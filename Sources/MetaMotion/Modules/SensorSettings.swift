import FleetModel

/// How a sensor's settings are read back, and what they mean in the keys of the catalogue.
struct SensorSettings: Sendable {
  /// Asked in this order.
  let registers: [Register]
  private let meaning: @Sendable ([[UInt8]]) -> JSONObject

  /// Declares them; `meaning` takes the payloads of the answers, one per register.
  init(_ registers: [Register], meaning: @escaping @Sendable ([[UInt8]]) -> JSONObject) {
    self.registers = registers
    self.meaning = meaning
  }

  /// What the answers say, as far as hosts write it; one answer per register.
  func keys(in replies: [[UInt8]]) -> JSONObject {
    guard replies.count == registers.count else { return [:] }
    return meaning(replies.map { Array($0.dropFirst(2)) })
  }
}

extension JSONValue {
  /// A number, without a point where it is whole.
  static func plain(_ value: Double) -> JSONValue {
    Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }
}
