package import FleetModel

/// The `availability` document of a board (MQTT contract 1.2).
package struct AvailabilityDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ availability: Availability, gateway: String) {
    self.init {
      $0[.state] = availability.state
      $0[.reason] = availability.reason
      $0[.since] = availability.since
      $0[.gateway] = gateway
    }
  }
}

extension DocumentField where Document == AvailabilityDocument, Value == Availability.State {
  package static var state: Self { .init("state") }
}

extension DocumentField where Document == AvailabilityDocument, Value == Availability.Reason {
  package static var reason: Self { .init("reason") }
}

extension DocumentField where Document == AvailabilityDocument, Value == Timestamp {
  package static var since: Self { .init("since_ms") }
}

extension DocumentField where Document == AvailabilityDocument, Value == String {
  /// The reason as it was written, also one that this version does not know.
  package static var reasonWord: Self { .init("reason") }
  package static var gateway: Self { .init("gw") }
}

/// The `availability` document of a gateway (MQTT contract 1.6); the broker publishes it as the gateway's will.
package struct GatewayAvailabilityDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  /// `birth` is the number of the connection.
  init(isOnline: Bool, birth: Int, since: Timestamp? = nil, reason: String? = nil) {
    self.init {
      $0[.state] = isOnline ? .online : .offline
      $0[.birth] = birth
      $0[.since] = since
      $0[.reason] = reason
    }
  }
}

extension DocumentField where Document == GatewayAvailabilityDocument, Value == Availability.State {
  package static var state: Self { .init("state") }
}

extension DocumentField where Document == GatewayAvailabilityDocument, Value == Int {
  package static var birth: Self { .init("birth") }
}

extension DocumentField where Document == GatewayAvailabilityDocument, Value == Timestamp {
  package static var since: Self { .init("since_ms") }
}

extension DocumentField where Document == GatewayAvailabilityDocument, Value == String {
  /// `started`, `stopped`; nil in a will.
  package static var reason: Self { .init("reason") }
}
