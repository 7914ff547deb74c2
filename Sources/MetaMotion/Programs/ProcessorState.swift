import BoardKit
import FleetModel

/// What a processor keeps, as `read` answers it (MQTT contract 3.3).
struct ProcessorState: Sendable {
  let json: JSONObject

  /// Reads `bytes` by `layout`, where that is known: one number is the state, several stand under the fields of
  /// `chain`.
  init(_ bytes: [UInt8], layout: SampleLayout?, chain: String?) {
    var json = JSONObject()
    let values = layout?.samples(in: bytes)?.first?.values ?? []
    if values.count == 1 {
      json["state"] = Self.number(values[0])
    } else if let layout {
      for (name, value) in zip(ChainFields(chain ?? "state", layout).names, values) {
        json[name] = Self.number(value)
      }
    }
    json["hex"] = .string(bytes.hex)
    self.json = json
  }

  private static func number(_ value: Double) -> JSONValue {
    Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }
}
