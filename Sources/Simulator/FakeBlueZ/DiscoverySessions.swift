import FleetModel

/// The clients that discover over one adapter, by their names on the bus, with what each wants to hear of.
struct DiscoverySessions: Sendable {
  /// A filter outlives no session, and may come before one.
  private var filters: [String: DiscoveryFilter] = [:]
  private var clients: Set<String> = []

  var isEmpty: Bool { clients.isEmpty }

  func contains(_ client: String) -> Bool { clients.contains(client) }

  mutating func set(_ filter: DiscoveryFilter, of client: String) { filters[client] = filter }

  /// Whether it is the first of all; nil where the client has a session already.
  mutating func begin(_ client: String) -> Bool? {
    clients.insert(client).inserted ? clients.count == 1 : nil
  }

  /// Whether that was the last of all.
  mutating func end(_ client: String) -> Bool {
    filters[client] = nil
    return clients.remove(client) != nil && clients.isEmpty
  }

  /// All end, as when the power goes; filters stay.
  mutating func endAll() { clients = [] }

  /// Whether anybody wants to hear of this.
  func pass(_ advertisement: Advertisement, address: String, rssi: Int) -> Bool {
    clients.contains { filters[$0]?.passes(advertisement, address: address, rssi: rssi) ?? true }
  }
}
