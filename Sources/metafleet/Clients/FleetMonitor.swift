import Dialects
import FleetModel

/// The fleet as `top` watches it: the documents, and what the live lane tells of rates.
struct FleetMonitor: Sendable {
  private(set) var fleet: FleetView
  /// What a broker that is back has said of the fleet since; nil where `fleet` is what it says.
  private var fresh: FleetView?
  private(set) var rates = SampleRates()

  /// How long a broker that is back is given at least, and at most where it does not mention every gateway there was.
  private static let shortestRead = Duration.seconds(1)
  private static let longestRead = Duration.seconds(30)

  init(_ fleet: FleetView) { self.fleet = fleet }

  /// Takes a message in that arrived at this uptime.
  mutating func received(_ message: MQTTMessage, at uptime: Duration) {
    if let sample = LiveSampleDocument(message.payload), sample[.number] != nil {
      rates.received(sample, at: uptime)
    } else {
      fleet.apply(topic: message.topic, payload: message.payload)
      fresh?.apply(topic: message.topic, payload: message.payload)
    }
  }

  /// A broker is back that may have forgotten what it kept, or keeps it no longer: `empty` is filled beside the picture
  /// there is.
  mutating func restored(_ empty: FleetView) { fresh = empty }

  /// Takes over what the broker said since it is back, once that is all, as far as one can know. Whether it was.
  mutating func isWhole(after span: Duration) -> Bool {
    guard let new = fresh else { return true }
    let isMissing = fleet.gateways.keys.contains { new.gateways[$0]?.availability == nil }
    guard span >= (isMissing ? Self.longestRead : Self.shortestRead) else { return false }
    (fleet, fresh) = (new, nil)
    return true
  }

  /// One object per gateway, then one per board: their documents as they are, and each board's rate.
  func objects(_ order: BoardSortOrder, _ filter: BoardFilter = BoardFilter(), at uptime: Duration)
    -> [JSONObject]
  {
    let gateways = fleet.gateways.sorted { $0.key < $1.key }.map { id, gateway in
      var object: JSONObject = ["gateway": .string(id)]
      object["availability"] = gateway.availability?.json.json
      object["info"] = gateway.info?.json.json
      object["health"] = gateway.health?.json.json
      object["alarms"] = gateway.alarms?.json.json
      object["adapters"] = .array(
        gateway.adapters.sorted { $0.key < $1.key }.map { $0.value.json.json })
      return object
    }
    return gateways
      + order.sorted(self, at: uptime).filter { filter.passes($0, in: fleet) }.map { board in
        var object = BoardTable.object(of: board, in: fleet)
        object["samples_per_s"] = rates.rate(of: board.id, at: uptime).map {
          .number(($0 * 10).rounded() / 10)
        }
        return object
      }
  }
}
