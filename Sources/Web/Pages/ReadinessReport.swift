import FleetModel

/// Whether the gateway is of use to anybody: what `/readyz` says. Pure.
struct ReadinessReport: Hashable, Sendable {
  /// One sentence for each part that is missing, with what to do.
  let causes: [String]

  init(_ readiness: FleetSnapshot.Readiness) {
    var causes: [String] = []
    if !readiness.isStarted { causes.append("starting: the gateway has not taken up its boards yet") }
    if readiness.storage > .slow { causes.append("storage: \(readiness.storage.advice)") }
    if !readiness.isBrokerConnected {
      causes.append("broker: it is not connected; the gateway's log says why")
    }
    if let trouble = readiness.bluetoothTrouble { causes.append("bluetooth: \(trouble)") }
    self.causes = causes
  }

  var content: HTTPContent { causes.isEmpty ? .text(200, ["ready"]) : .text(503, causes) }
}
