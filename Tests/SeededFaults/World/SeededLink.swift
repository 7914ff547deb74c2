import BoardKit
import FleetModel
import Simulator

/// A link, with the random faults of the script in between.
struct SeededLink: BoardLink {
  private let link: any BoardLink
  private let radio: SeededRadio

  /// Has the application restart in its bootloader.
  private static let jump: [UInt8] = [0xFE, 0x02]

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
    let value = try await link.read(characteristic)
    if characteristic.service == MetaMotionAttributes.deviceInformation {
      await radio.said(characteristic.uuid, by: board)
    }
    return value
  }

  func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
  ) async throws(LinkFailure) {
    // What leads to other firmware counts as written, also where the writer dies over it.
    let isFateful = characteristic.service == MetaMotionAttributes.bootloader || value == Self.jump
    if isFateful { await radio.wrote(value, to: characteristic, of: board) }
    try await link.write(value, to: characteristic, as: kind)
    if !isFateful { await radio.wrote(value, to: characteristic, of: board) }
  }

  func disconnect() async {
    await radio.hungUp(board)
    await link.disconnect()
  }
}
