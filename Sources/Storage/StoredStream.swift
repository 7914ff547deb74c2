internal import FleetModel
internal import FoundationEssentials

/// A logger map as it lies in its column: JSON.
struct StoredStream: Codable {
  private struct Field: Codable {
    var name: String
    var unit: String
    var kind: String
    var decimals: Int
  }

  private var name: String
  private var fields: [Field]
  private var slots: [Int]
  private var layout: Data
  private var configuration: StoredValue
  private var period: Int64?
  private var isOurs: Bool

  static func encode(_ streams: [LoggedStream]) throws -> Data {
    try JSONEncoder().encode(
      streams.map { stream in
        StoredStream(
          name: stream.name,
          fields: stream.fields.map {
            Field(name: $0.name, unit: $0.unit, kind: $0.kind.rawValue, decimals: $0.decimals)
          }, slots: stream.slots, layout: Data(stream.layout),
          configuration: StoredValue(.object(stream.configuration)), period: stream.period?.wholeNanoseconds,
          isOurs: stream.isOurs)
      })
  }

  static func decode(_ data: Data) throws -> [LoggedStream] {
    try JSONDecoder().decode([StoredStream].self, from: data).map { stored in
      // What can be measured is the catalogue's to say, and is not stored.
      let declared = StreamCatalogue.find(stored.name)?.stream.fields ?? []
      return LoggedStream(
        name: stored.name,
        fields: stored.fields.map { field in
          let known = declared.first { $0.name == field.name }
          return StreamDefinition.Field(
            field.name, field.unit, .init(rawValue: field.kind) ?? .number, decimals: field.decimals,
            possible: known?.possible, isKeptByPacket: known?.isKeptByPacket ?? false)
        }, slots: stored.slots, layout: [UInt8](stored.layout),
        configuration: stored.configuration.value.object ?? [:],
        period: stored.period.map { .nanoseconds($0) }, isOurs: stored.isOurs)
    }
  }
}

/// A JSON value as the system's coders take it. Members lie as pairs, because their order is theirs to keep.
private struct StoredValue: Codable {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  private struct Member: Codable {
    var key: String
    var value: StoredValue
  }

  private enum CodingKeys: String, CodingKey { case members, elements, text, truth, whole, number }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let members = try container.decodeIfPresent([Member].self, forKey: .members) {
      value = .object(JSONObject(members.map { ($0.key, $0.value.value) }))
    } else if let elements = try container.decodeIfPresent([StoredValue].self, forKey: .elements) {
      value = .array(elements.map(\.value))
    } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      value = .string(text)
    } else if let truth = try container.decodeIfPresent(Bool.self, forKey: .truth) {
      value = .bool(truth)
    } else if let whole = try container.decodeIfPresent(Int64.self, forKey: .whole) {
      value = .integer(whole)
    } else if let number = try container.decodeIfPresent(Double.self, forKey: .number) {
      value = .number(number)
    } else {
      value = .null
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch value {
    case .null: break
    case .object(let object):
      try container.encode(
        object.members.map { Member(key: $0.key, value: StoredValue($0.value)) }, forKey: .members)
    case .array(let elements): try container.encode(elements.map(StoredValue.init), forKey: .elements)
    case .string(let text): try container.encode(text, forKey: .text)
    case .bool(let truth): try container.encode(truth, forKey: .truth)
    case .integer(let whole): try container.encode(whole, forKey: .whole)
    case .number(let number): try container.encode(number, forKey: .number)
    }
  }
}
