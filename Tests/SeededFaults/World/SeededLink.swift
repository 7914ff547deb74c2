import BoardKit
import FleetModel

/// A link, with the random faults of the script in between.
struct SeededLink: BoardLink {
  private let link: any BoardLink
  private let radio: SeededRadio

  init(_ link: any BoardLink, of radio: SeededRadio) {
    self.link = link
    self.radio = radio
  }

  var board: BoardID { link.board }
  var adapter: AdapterID { link.adapter }

  func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) async {
    await radio.open(link, received: received, ended: ended)
  }

  func subscribe(to characteristic: Characteristic) async throws(LinkFailure) {
    try await link.subscribe(to: characteristic)
  }

  func read(_ characteristic: Characteristic) async throws(LinkFailure) -> [UInt8] {
    try await link.read(characteristic)
  }

  func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
  ) async throws(LinkFailure) {
    try await link.write(value, to: characteristic, as: kind)
    await radio.wrote(value, to: board)
  }

  func disconnect() async {
    await radio.hungUp(board)
    await link.disconnect()
  }
}
