import FleetModel
import Testing

/// The object in a payload of ours.
func object(_ payload: [UInt8]) throws -> JSONObject {
  try #require(try StrictJSON.parse(payload, limits: .trusting).object)
}

/// The object in a text.
func object(_ text: String) throws -> JSONObject { try object(Array(text.utf8)) }

/// The JSON types of the contract, as section 0 names them.
enum ContractType: String, Sendable {
  case str, int, num, bool, object, array

  func holds(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.str, .string), (.bool, .bool), (.object, .object), (.array, .array), (.num, .integer),
      (.num, .number):
      true
    case (.int, .integer(let number)): number.magnitude <= 1 << 53
    default: false
    }
  }
}

/// Checks a document's keys against the contract: those always there, those that may be omitted, no others, no null.
func expect(
  _ document: JSONObject, always: [String: ContractType], omitted: [String: ContractType] = [:],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for (key, type) in always {
    guard let value = document[key] else {
      Issue.record("\(key) is missing", sourceLocation: sourceLocation)
      continue
    }
    #expect(type.holds(value), "\(key) is no \(type.rawValue)", sourceLocation: sourceLocation)
  }
  for (key, value) in document.members where always[key] == nil {
    #expect(
      omitted[key]?.holds(value) == true, "\(key) should not be there so", sourceLocation: sourceLocation)
  }
  #expect(!hasNull(.object(document)), "null is never written", sourceLocation: sourceLocation)
}

private func hasNull(_ value: JSONValue) -> Bool {
  switch value {
  case .null: true
  case .array(let elements): elements.contains(where: hasNull)
  case .object(let object): object.members.contains { hasNull($0.value) }
  case .bool, .integer, .number, .string: false
  }
}

extension BoardID {
  /// The board of the contract's examples.
  static let example = BoardID(BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6))
}

extension AdapterID {
  /// The adapter of the contract's examples.
  static let example = AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7113))
}

extension ULID {
  /// The same every time.
  static let example: ULID = {
    var random = SeededGenerator(seed: 1)
    return ULID(at: Timestamp(milliseconds: 1_763_671_234_567), using: &random)
  }()
}
