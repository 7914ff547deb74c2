import Dialects
import FleetModel

/// The fleet as `top` watches it: the documents, and what the live lane tells of rates.
struct FleetMonitor: Sendable {
  private(set) var fleet: FleetView
  private(set) var rates = SampleRates()

  init(_ fleet: FleetView) { self.fleet = fleet }

  /// Takes a message in that arrived at this uptime.
  mutating func received(_ message: MQTTMessage, at uptime: Duration) {
    if let sample = LiveSampleDocument(message.payload), sample[.number] != nil {
      rates.received(sample, at: uptime)
    } else {
      fleet.apply(topic: message.topic, payload: message.payload)
    }
  }

  /// One object per gateway, then one per board: their documents as they are, and each board's rate.
  func objects(_ order: BoardSortOrder, at uptime: Duration) -> [JSONObject] {
    let gateways = fleet.gateways.sorted { $0.key < $1.key }.map { id, gateway in
      var object: JSONObject = ["gateway": .string(id)]
      object["availability"] = gateway.availability?.json.json
      object["info"] = gateway.info?.json.json
      object["health"] = gateway.health?.json.json
      object["adapters"] = .array(
        gateway.adapters.sorted { $0.key < $1.key }.map { $0.value.json.json })
      return object
    }
    return gateways
      + order.sorted(self, at: uptime).map { board in
        var object = BoardTable.object(of: board, in: fleet)
        object["samples_per_s"] = rates.rate(of: board.id, at: uptime).map {
          .number(($0 * 10).rounded() / 10)
        }
        return object
      }
  }
}
