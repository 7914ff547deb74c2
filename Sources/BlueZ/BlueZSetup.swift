package import BoardKit
package import FleetModel

/// What the radio has to know about the boards it serves, and about the host.
package struct BlueZSetup: Sendable {
  /// Advertised services to discover by.
  package var services: [AttributeUUID]
  /// A board is usable when all characteristics of one of these groups are there.
  package var characteristics: [Set<Characteristic>]
  /// Adapters to use; nil for all there are.
  package var adapters: Set<AdapterID>?
  package var policy: BlueZPolicy

  package init(
    services: [AttributeUUID], characteristics: [Set<Characteristic>], adapters: Set<AdapterID>? = nil,
    policy: BlueZPolicy = BlueZPolicy()
  ) {
    self.services = services
    self.characteristics = characteristics
    self.adapters = adapters
    self.policy = policy
  }
}
