import Dialects
import FleetModel

@testable import metafleet

/// A fleet as a broker would tell of it.
func exampleFleet() -> FleetView {
  var fleet = FleetView(base: "metafleet")
  func publish(_ topic: String, _ text: String) {
    fleet.apply(topic: "metafleet/\(topic)", payload: Array(text.utf8))
  }
  publish(
    "board/e5a1c2d3f4b6/info",
    #"{"name":"Pump 3","groups":["east","pumps"],"gw":"g1","model":"MetaMotion S","fw":"1.7.2"}"#)
  publish(
    "board/e5a1c2d3f4b6/availability",
    #"{"state":"online","reason":"connected","since_ms":1763671000000,"gw":"g1"}"#)
  publish(
    "board/e5a1c2d3f4b6/state",
    #"{"link":"streaming","battery_pct":81,"rssi_dbm":-63,"fw":"1.7.3","gw":"g1"}"#)
  publish("board/e5a1c2d3f4b7/info", #"{"name":"Pump 30","groups":["east"],"gw":"g2"}"#)
  publish("board/c0ffee000001/info", #"{"name":"Lamp\u001b[31m","groups":[],"gw":"g1"}"#)
  publish("board/c0ffee000002/info", #"{"name":"east","groups":[],"gw":"g1"}"#)
  publish("board/c0ffee000003/info", #"{"name":"Twin","groups":[],"gw":"g1"}"#)
  publish("board/c0ffee000004/info", #"{"name":"Twin","groups":[],"gw":"g1"}"#)
  publish("gateway/g1/availability", #"{"state":"online","birth":3}"#)
  publish("gateway/g2/availability", #"{"state":"offline","birth":1}"#)
  return fleet
}
