import Dialects
import FleetModel

@testable import Fleet

/// What the broker retains of a gateway with a board that does what it should, and of others beside it.
struct ExplanationExample {
  static let now = Timestamp(milliseconds: 1_763_671_090_000)
  static let board = BoardID(BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6))
  static let root = "board/e5a1c2d3f4b6"

  private var fleet = FleetView(base: "metafleet", scope: .everything)

  init() { publish(Self.healthy) }

  /// All is well.
  static let healthy: [String: String] = [
    "\(root)/info": #"{"name":"Pump 3","gw":"g1","profile":"vibration"}"#,
    "\(root)/availability": #"{"state":"online","reason":"connected","since_ms":1763671000000}"#,
    "\(root)/state":
      #"{"ts_ms":1763671080000,"link":"streaming","battery_pct":81,"gw":"g1","adapter":"001a7dda7113","last_seen_ms":1763671080000,"session_fail_24h":3,"samples_lost_24h":7}"#,
    "\(root)/config":
      #"{"desired":{"stream":{"acceleration":{"rate_hz":50}}},"reported":{},"in_sync":true,"differences":[]}"#,
    "\(root)/firmware": #"{"installed_version":"1.7.3","latest_version":"1.7.3"}"#,
    "gateway/g1/availability": #"{"state":"online","birth":3,"since_ms":1763670000000}"#,
    "gateway/g1/info": info(),
    "gateway/g1/rollout/fw-173":
      #"{"rollout":"fw-173","version":"1.7.3","phase":"done","paused":false,"not_done":[]}"#,
    "gateway/g1/health": #"{"bluetooth_ok":1,"storage_ok":1,"storage":"ok","clock_synced":1}"#,
    // What went wrong once stays in such fields.
    "gateway/g1/adapter/001a7dda7113":
      #"{"adapter":"001a7dda7113","name":"hci0","state":"up","scanning":true,"slots_used":1,"slots_total":25,"waiting":0,"connected":["e5a1c2d3f4b6"],"resets":2,"scan_restarts":1,"connects_failed":9,"last_error":"le-connection-abort-by-local","reason_code":"refused"}"#,
  ]

  /// Twenty further boards.
  private static let others = (1...20).map {
    BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0000 + $0)).description
  }

  /// The gateway's information, with further fields. `isListed`: whether it looks after the board.
  static func info(_ fields: String = "", isListed: Bool = true) -> String {
    let boards = (others + (isListed ? [board.description] : [])).joined(separator: #"",""#)
    return #"{"host":"attic","boards":["\#(boards)"]\#(fields.isEmpty ? "" : ",")\#(fields)}"#
  }

  /// Publishes documents by their topics; an empty one removes.
  mutating func publish(_ documents: [String: String]) {
    for (topic, text) in documents { fleet.apply(topic: "metafleet/\(topic)", payload: Array(text.utf8)) }
  }

  /// Twenty further boards that stream, over an adapter of a gateway.
  mutating func publishOthers(of gateway: String, over adapter: String) {
    for id in Self.others {
      publish([
        "board/\(id)/info": #"{"name":"Other","gw":"\#(gateway)"}"#,
        "board/\(id)/availability": #"{"state":"online","reason":"connected","since_ms":1}"#,
        "board/\(id)/state": #"{"link":"streaming","gw":"\#(gateway)"}"#,
      ])
    }
    publish([
      "gateway/\(gateway)/availability": #"{"state":"online","birth":1}"#,
      "gateway/\(gateway)/adapter/\(adapter)":
        #"{"adapter":"\#(adapter)","name":"hci7","state":"up","scanning":true,"slots_used":20,"slots_total":32,"waiting":0,"connected":["\#(Self.others.joined(separator: #"",""#))"]}"#,
    ])
  }

  func explain(_ board: BoardID = board, heard streams: [String]? = nil) -> Explanation {
    let traffic = streams.map { names in
      var traffic = ReceivedTraffic(span: .seconds(2))
      for name in names {
        traffic.received(MQTTMessage(topic: "x", payload: Array(#"{"stream":"\#(name)"}"#.utf8)))
      }
      return traffic
    }
    return ExplanationRule(board: board, fleet: fleet, now: Self.now, heard: traffic).explain()
  }
}
