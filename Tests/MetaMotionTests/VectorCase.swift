import FleetModel
import Foundation
import Testing

@testable import MetaMotion

/// One case of the vendor's byte vectors (protocol reference, section 39).
struct VectorCase: Sendable, CustomTestStringConvertible {
  let area: String
  let name: String
  let model: String
  let firmware: String
  /// Information replies of the board.
  let replies: [Module: [UInt8]]
  /// What the user does, phrase by phrase.
  let phrases: [String]
  let writes: [[UInt8]]
  let inject: [[UInt8]]
  /// `w` for each write, `n` for each notification, in the order in which they come; empty where nobody says so.
  let order: String
  let expect: JSONObject

  var testDescription: String { "\(area): \(name)" }

  /// The areas whose modules this target covers, with the number of their cases.
  static let areas: [(name: String, cases: Int)] = [
    ("init", 6),
    ("model-identification", 2),
    ("accelerometer-common", 13),
    ("accelerometer-bmi160", 35),
    ("accelerometer-bmi270", 34),
    ("temperature", 11),
    ("settings", 22),
    ("switch", 2),
    ("led", 6),
    ("debug", 7),
    ("data-decoding", 6),
    ("haptic", 1),
    ("ambient-light", 3),
    ("barometer", 13),
    ("gpio", 15),
    ("gyro-bmi160", 8),
    ("gyro-bmi270", 7),
    ("humidity", 4),
    ("magnetometer", 10),
    ("sensor-fusion", 23),
    ("sensor-fusion-config", 29),
    ("data-processor", 27),
    ("timer", 7),
    ("event", 3),
    ("macro", 3),
    ("ibeacon", 8),
    ("serial-passthrough", 5),
    ("anonymous-signals", 9),
    ("teardown", 2),
    ("logging", 23),
  ]

  /// All cases of all areas, in the order of the files.
  static func all() throws -> [VectorCase] { try areas.flatMap { try cases(of: $0.name) } }

  /// The cases of one file, also of an area that is played elsewhere.
  static func cases(of area: String) throws -> [VectorCase] {
    let folder = try #require(Bundle.module.url(forResource: "Vectors", withExtension: nil))
    let data = try Data(contentsOf: folder.appendingPathComponent("\(area).json"))
    let document = try JSONDecoder().decode(DecodedJSON.self, from: data).value
    return (document.object?["cases"]?.array ?? []).compactMap { VectorCase(area, $0.object ?? [:]) }
  }

  private init?(_ area: String, _ members: JSONObject) {
    guard let name = members["name"]?.string, let board = members["board"]?.object else { return nil }
    self.area = area
    self.name = name
    model = board["model"]?.integer.map { "\($0)" } ?? ""
    firmware = board["fw"]?.string ?? ""
    var replies: [Module: [UInt8]] = [:]
    for (_, reply) in board["modules"]?.object?.members ?? [] {
      let reply = bytes(reply.string ?? "")
      if let module = reply.first.flatMap(Module.init(rawValue:)) { replies[module] = reply }
    }
    self.replies = replies
    phrases = (members["do"]?.string ?? "").components(separatedBy: "; ")
    writes = Self.packets(members["writes"])
    inject = Self.packets(members["inject"])
    order = members["order"]?.string ?? ""
    expect = members["expect"]?.object ?? [:]
  }

  private static func packets(_ value: JSONValue?) -> [[UInt8]] {
    (value?.array ?? []).map { bytes($0.string ?? "") }
  }
}

/// A JSON value as Foundation's decoder finds it.
private struct DecodedJSON: Decodable {
  let value: JSONValue

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let truth = try? container.decode(Bool.self) {
      value = .bool(truth)
    } else if let whole = try? container.decode(Int64.self) {
      value = .integer(whole)
    } else if let number = try? container.decode(Double.self) {
      value = .number(number)
    } else if let text = try? container.decode(String.self) {
      value = .string(text)
    } else if let list = try? container.decode([DecodedJSON].self) {
      value = .array(list.map(\.value))
    } else {
      let members = try container.decode([String: DecodedJSON].self)
      value = .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }))
    }
  }
}
