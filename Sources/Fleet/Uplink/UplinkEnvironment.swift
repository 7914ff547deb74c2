import Dialects
import FleetModel
import Logging
import Storage

/// What the parts of an uplink need from around it.
struct UplinkEnvironment: Sendable {
  let broker: any Broker
  let dialect: any Dialect
  let store: Store
  let timekeeper: any Timekeeper
  let counters: Counters
  let configuration: UplinkConfiguration
  /// The gateway's id.
  let gateway: String
  let log: Logger
  let handlers: Uplink.Handlers
  let published: GatewayEnvironment.Published

  var now: Timestamp { timekeeper.now }
  var uptime: Duration { timekeeper.uptime }
}
