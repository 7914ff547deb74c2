import BoardKit
import FleetModel
import Simulator
import Synchronization

/// A simulated radio that notes what is written to its boards.
struct ListeningRadio: Radio {
  let radio: SimulatedRadio
  let ears = Ears()

  /// What was written, first to last, by board.
  final class Ears: Sendable {
    private let written = Mutex<[BoardID: [[UInt8]]]>([:])

    func note(_ packet: [UInt8], to board: BoardID) {
      written.withLock { $0[board, default: []].append(packet) }
    }

    /// How many packets each board got that changed something of it: registers are read with their highest bit set.
    var changes: [BoardID: Int] {
      written.withLock { $0 }.mapValues { packets in packets.count { $0.count > 1 && $0[1] & 0x80 == 0 } }
    }

    /// What changed a board's settings; 0x11 and 0x12 are subscriptions.
    func settings(of board: BoardID) -> [[UInt8]] {
      written.withLock { $0[board] ?? [] }.filter {
        $0.count > 1 && $0[0] == 0x11 && $0[1] & 0x80 == 0 && $0[1] != 0x11 && $0[1] != 0x12
      }
    }
  }

  var executor: any SerialExecutor { radio.executor }
  var events: AsyncStream<RadioEvent> { radio.events }
  func run() async { await radio.run() }
  func discover(_ isWanted: Bool, unfiltered: Bool) async {
    await radio.discover(isWanted, unfiltered: unfiltered)
  }
  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    Link(link: try await radio.connect(to: board, via: adapter, timeout: timeout), ears: ears)
  }
  func forget(_ board: BoardID, on adapter: AdapterID) async { await radio.forget(board, on: adapter) }

  func use(_ adapters: Set<AdapterID>?) async { await radio.use(adapters) }

  func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) async {
    await radio.expect(boards, isSilenceNormal: isSilenceNormal)
  }

  private struct Link: BoardLink {
    let link: any BoardLink
    let ears: Ears

    var board: BoardID { link.board }
    var adapter: AdapterID { link.adapter }
    func open(
      received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
      ended: @escaping @Sendable (LinkFailure) -> Void
    ) async { await link.open(received: received, ended: ended) }
    func subscribe(to characteristic: Characteristic) async throws(LinkFailure) {
      try await link.subscribe(to: characteristic)
    }
    func read(_ characteristic: Characteristic) async throws(LinkFailure) -> [UInt8] {
      try await link.read(characteristic)
    }
    func write(
      _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
    ) async throws(LinkFailure) {
      ears.note(value, to: link.board)
      try await link.write(value, to: characteristic, as: kind)
    }
    func disconnect() async { await link.disconnect() }
  }
}
