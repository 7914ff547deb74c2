package import Dialects
package import FleetModel

/// What shows a gateway to others in the same process: pages of HTTP.
package enum FleetObservation {
  /// The gateway and its boards, as their documents say it, with the numbers of health as they are now.
  package static func snapshot(of gateway: isolated Gateway) async -> FleetSnapshot {
    var snapshot = FleetSnapshot(gateway: gateway.configuration.gateway.id, at: gateway.now)
    snapshot.numbers = await GatewayReports.measure(gateway)
    snapshot.readiness.isBrokerConnected = await gateway.uplink.isConnected
    snapshot.take(await gateway.retainedState().events)
    let documents = gateway.documents
    snapshot.info = documents.info
    snapshot.adapters = documents.adapterReports
    snapshot.readiness.isStarted = documents.info != nil
    snapshot.readiness.bluetoothTrouble = gateway.radio.trouble == nil ? nil : gateway.radio.troubleMessage
    snapshot.readiness.storage = gateway.storage.condition
    for distribution in Distribution.allCases {
      snapshot.distributions[distribution] = gateway.counters.distributions.histogram(of: distribution)
    }
    return snapshot
  }

  /// What every retained document says as it is now, and since when the gateway runs.
  package static func documents(of gateway: isolated Gateway) async -> (
    events: [FleetEvent], since: Timestamp
  ) {
    (await gateway.retainedState().events, gateway.started.time)
  }

  /// Whether a command for this target would find somebody here.
  package static func looksAfter(_ target: CommandTarget, _ gateway: isolated Gateway) -> Bool {
    switch target {
    case .board(let board): gateway.supervisors[board] != nil
    case .group(let name): !gateway.members(of: name).isEmpty
    case .gateway: true
    }
  }

  /// Takes a command, as if it had come from the broker.
  package static func submit(
    _ target: CommandTarget, _ verb: String, _ command: IncomingCommand, to gateway: isolated Gateway
  ) async {
    await gateway.submit(target, verb, command)
  }

  /// Comes back once the gateway has a moment.
  package static func reach(_ gateway: isolated Gateway) {}

  /// Comes back once what speaks with the broker has a moment.
  package static func reachUplink(of gateway: isolated Gateway) async { _ = await gateway.uplink.isConnected }
}
