package import BoardKit
package import FleetModel

/// A link of a `SimulatedRadio`, which does the work.
package struct SimulatedLink: BoardLink {
  package let board: BoardID
  package let adapter: AdapterID
  let number: UInt64
  let radio: SimulatedRadio

  package func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) async {
    await radio.open(self, received: received, ended: ended)
  }

  package func subscribe(to characteristic: Characteristic) async throws(LinkFailure) {
    try await radio.subscribe(self, to: characteristic)
  }

  package func read(_ characteristic: Characteristic) async throws(LinkFailure) -> [UInt8] {
    try await radio.read(self, characteristic)
  }

  package func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
  ) async throws(LinkFailure) {
    try await radio.write(self, value, to: characteristic, as: kind)
  }

  package func disconnect() async { await radio.disconnect(self) }
}
