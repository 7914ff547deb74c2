import BoardKit
import FleetModel

@testable import MetaMotion

/// The phrases of one area of the vectors, and the packets its signals come in.
///
/// Every area is offered every phrase and every packet, so that one may remember what another one acts on.
protocol VectorArea: SendableMetatype {
  init(on board: Inventory)

  /// Carries out a phrase with our codecs; false when it is none of this area's.
  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool

  /// What our codecs make of a packet from the board; nil when it is none of this area's.
  mutating func hear(_ packet: [UInt8]) throws -> [Heard]?
}

extension VectorArea {
  mutating func hear(_ packet: [UInt8]) throws -> [Heard]? { nil }
}

/// What a case has brought about so far.
struct VectorStage {
  /// What was written to the board.
  var writes: [[UInt8]] = []
  /// What was chosen or found out on the way, under the vectors' own keys.
  var findings: JSONObject = [:]
  /// What the board answers in the case and nobody has taken yet.
  var answers: [[UInt8]] = []

  /// The board's next answer from `register`, to a write or to a read; nil when it gives none.
  mutating func takeAnswer(_ register: Register, isRead: Bool = false) -> [UInt8]? {
    let header = (isRead ? register.read() : register.write()).prefix(2)
    return answers.firstIndex { $0.prefix(2) == header }.map { answers.remove(at: $0) }
  }

  /// Writes, and says that the phrase was understood.
  mutating func write(_ packets: [UInt8]...) -> Bool {
    writes += packets
    return true
  }

  /// Notes a finding, and says that the phrase was understood.
  mutating func find(_ key: String, _ value: JSONValue) -> Bool {
    findings[key] = value
    return true
  }
}

/// What came out of one packet, once.
enum Heard: Hashable {
  /// A number, a text, or an object of named values.
  case value(JSONValue)
  /// Nobody wanted the packet.
  case unwanted

  static func number(_ number: Double) -> Heard { .value(.number(number)) }
}

extension Inventory {
  /// What the driver makes of a packet while it streams `name`, each sample as one value: a number, or an object with
  /// the names of the components.
  func hear(_ packet: [UInt8], streaming name: String, _ configuration: JSONObject = [:]) throws -> [Heard] {
    let (decoded, verdict) = try decode(packet, streaming: name, configuration)
    if verdict == .unwanted { return [.unwanted] }
    let stream = try NotUnderstood.unless(StreamCatalogue.find(name)).stream
    let names = stream.components + (stream.fields.count > stream.components.count ? ["accuracy"] : [])
    return decoded.readings.entries.map { entry in
      let values = decoded.readings.values[entry.values].map { JSONValue.number($0) }
      return .value(values.count == 1 ? values[0] : .object(JSONObject(Array(zip(names, values)))))
    }
  }

  /// The events the driver makes of a packet while it streams `name`.
  func notice(
    _ packet: [UInt8], streaming name: String, _ configuration: JSONObject = [:]
  ) throws -> [(type: String, fields: JSONObject)] {
    try decode(packet, streaming: name, configuration).decoded.events.compactMap {
      if case .happened(_, let type, let fields) = $0.event { (type, fields) } else { nil }
    }
  }

  private func decode(
    _ packet: [UInt8], streaming name: String, _ configuration: JSONObject
  ) throws -> (decoded: DecodedPackets, verdict: PacketVerdict) {
    let request = StreamRequest(name: name, configuration: configuration)
    let selection = StreamSelection([StreamKey(0): request], button: false, on: self)
    if let refusal = selection.refused[StreamKey(0)] { throw NotUnderstood(description: refusal.message) }
    var decoded = DecodedPackets()
    let verdict = PacketDecoder(routes: selection.routes).decode(
      packet.span.bytes, at: Timestamp(nanoseconds: 0), into: &decoded)
    return (decoded, verdict)
  }
}

/// A phrase that begins or ends a subscription.
struct SubscriptionPhrase {
  let signal: String
  let isOn: Bool

  init?(_ phrase: String) {
    guard let match = phrase.wholeMatch(of: #/(un)?subscribe (?:to|from) (.+)/#) else { return nil }
    signal = String(match.2)
    isOn = match.1 == nil
  }

  /// The command that does it to `register`.
  func command(_ register: Register) -> [UInt8] { isOn ? register.subscribe : register.unsubscribe }
}

/// The case speaks of something the player or a codec does not know.
struct NotUnderstood: Error, CustomStringConvertible {
  let description: String

  /// The value, where there is one.
  static func unless<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw NotUnderstood(description: "a packet or value could not be read") }
    return value
  }
}
