import BoardKit
import FleetModel
import Simulator
import Synchronization

/// A simulated radio that notes what is written to its boards, and which links are up and which ended.
struct ListeningRadio: Radio {
  let radio: SimulatedRadio
  let ears = Ears()

  /// What was written, first to last, by board.
  final class Ears: Sendable {
    private let written = Mutex<[BoardID: [[UInt8]]]>([:])
    private let links = Mutex(Links())
    private let isOff = Mutex(false)

    private struct Links {
      /// By their numbers.
      var up: [Int: BoardID] = [:]
      var begun = 0
      var ended: [BoardID: Int] = [:]
    }

    /// A link to a board is up. Returns its number.
    func began(_ board: BoardID) -> Int {
      links.withLock { links in
        links.begun += 1
        links.up[links.begun] = board
        return links.begun
      }
    }

    /// It ends, or has ended.
    func ended(_ link: Int) {
      links.withLock { links in
        guard let board = links.up.removeValue(forKey: link) else { return }
        links.ended[board, default: 0] += 1
      }
    }

    /// How many links of each board have ended.
    var ends: [BoardID: Int] { links.withLock { $0.ended } }
    /// The boards that are linked.
    var linked: Set<BoardID> { links.withLock { Set($0.up.values) } }

    /// The adapter is used, or no longer. Returns whether that is a change.
    func use(_ isUsed: Bool) -> Bool {
      isOff.withLock { isOff in
        defer { isOff = !isUsed }
        return isOff == isUsed
      }
    }

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
    let link = try await radio.connect(to: board, via: adapter, timeout: timeout)
    return Link(link: link, number: ears.began(board), ears: ears)
  }
  func forget(_ board: BoardID, on adapter: AdapterID) async { await radio.forget(board, on: adapter) }

  /// As BlueZ's radio does it: an adapter that is not to be used is not there.
  func use(_ adapters: Set<AdapterID>?) async {
    let adapter = SimulatedRadio.adapter.id
    let isUsed = adapters?.contains(adapter) ?? true
    guard ears.use(isUsed) else { return }
    if isUsed { await radio.setAdapter(adapter, .up) } else { await radio.removeAdapter(adapter) }
  }

  func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) async {
    await radio.expect(boards, isSilenceNormal: isSilenceNormal)
  }

  private struct Link: BoardLink {
    let link: any BoardLink
    let number: Int
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
    func disconnect() async {
      ears.ended(number)
      await link.disconnect()
    }
  }
}
