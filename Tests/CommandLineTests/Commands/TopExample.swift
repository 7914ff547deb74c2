import FleetModel

@testable import metafleet

/// What `top` has heard of the example fleet.
func exampleMonitor(_ more: [String: String] = [:]) -> FleetMonitor {
  var monitor = FleetMonitor(exampleFleet())
  let documents = [
    "board/c0ffee000003/state":
      #"{"link":"idle","battery_pct":4,"rssi_dbm":-80,"samples_lost_24h":7,"session_fail_24h":2,"clock_err_ms":1.5,"gw":"g1"}"#,
    "gateway/g1/health":
      #"{"boards_connected":3,"boards_admitted":5,"slots_used":3,"slots_total":8,"outbox_msgs":12,"outbox_oldest_s":90,"samples_dropped":5,"storage_free_bytes":81403592704,"storage_ok":0,"clock_synced":1,"bluetooth_ok":1}"#,
    "gateway/g1/adapter/001a7dda7113":
      #"{"name":"hci0","state":"up","slots_used":3,"slots_total":8,"waiting":1,"connects_ok":9,"connects_failed":2,"resets":0,"scanning":true,"last_error":"le-connection-abort\u001b[31m"}"#,
    "gateway/g2/adapter/001a7dda7114": #"{"name":"hci1","state":"up"}"#,
  ]
  for (topic, text) in documents.merging(more, uniquingKeysWith: { $1 }) {
    monitor.received(MQTTMessage(topic: "metafleet/\(topic)", payload: Array(text.utf8)), at: .zero)
  }
  for (number, seconds) in [(0, 0), (50, 1)] {
    let sample =
      #"{"ts_ms":\#(seconds * 1_000),"ax_g":1,"seq":\#(number),"board":"e5a1c2d3f4b6","stream":"acceleration","gw":"g1"}"#
    monitor.received(
      MQTTMessage(topic: "metafleet/board/e5a1c2d3f4b6/live/acceleration", payload: Array(sample.utf8)),
      at: .seconds(seconds))
  }
  return monitor
}
