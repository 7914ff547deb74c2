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
  /// Boards whose advertisements are reported whatever they carry.
  var boards: Set<BoardID> = []
  /// Whether a scan that receives nothing is as it should be although boards are missing.
  var isSilenceNormal = false
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

  /// The services that BlueZ discovers by; nil for everything.
  func filter(for discovery: AdapterPlan.DiscoveryRequest) -> [String]? {
    discovery == .ours ? services.map(\.description) : nil
  }

  /// Whether anything has to be received: a board that is expected is connected nowhere.
  func isAnyMissing(besides connected: Set<BoardID>) -> Bool {
    !isSilenceNormal && !boards.isSubset(of: connected)
  }

  /// Whether an advertisement is reported where not everything is wanted. Boards that are expected need no service in
  /// it: real ones do not always advertise theirs.
  func reports(_ device: DeviceObject, of board: BoardID) -> Bool {
    boards.contains(board) || device.services.contains { services.contains($0) }
  }
}
