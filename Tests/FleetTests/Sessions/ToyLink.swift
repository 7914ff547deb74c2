import BoardKit
import FleetModel
import Support
import VirtualTime

/// A link to a toy board, which streams and answers as long as nothing is wrong with it.
actor ToyLink: BoardLink {
  nonisolated let board: BoardID
  nonisolated let adapter: AdapterID
  nonisolated let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }

  /// What the board does wrong.
  struct Faults: Sendable {
    var isMute = false
    var isSilent = false
    /// What it answers to reads cannot be read.
    var answersNonsense = false
    /// What it sends beside its stream, and how often.
    var chatter: (packet: [UInt8], pause: Duration)?
    var subscribing: LinkFailure?
    var writing: LinkFailure?
  }

  private(set) var faults: Faults
  /// Everything written, with its time.
  private(set) var written: [(byte: UInt8, at: Duration)] = []
  private(set) var isSubscribed = false
  private(set) var isDisconnected = false
  private var isStreaming = false
  private var received: (@Sendable (Characteristic, RawSpan, Timestamp) -> Void)?
  private var ended: (@Sendable (LinkFailure) -> Void)?
  private var end: LinkFailure?

  init(board: BoardID, adapter: AdapterID, world: SeededWorld, faults: Faults) {
    (self.board, self.adapter, self.world, self.faults) = (board, adapter, world, faults)
  }

  func change(_ edit: @Sendable (inout Faults) -> Void) { edit(&faults) }

  func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) {
    self.received = received
    self.ended = ended
    if let end { ended(end) }
  }

  func subscribe(to characteristic: Characteristic) throws(LinkFailure) {
    if let failure = end ?? faults.subscribing { throw failure }
    isSubscribed = true
    // A subscription of an earlier session: it sends before anybody asks.
    if let chatter = faults.chatter { send(chatter.packet) }
  }

  func read(_ characteristic: Characteristic) throws(LinkFailure) -> [UInt8] {
    throw LinkFailure(.other, "a toy has nothing to read")
  }

  func write(_ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind) throws(LinkFailure) {
    if let failure = end ?? faults.writing { throw failure }
    let byte = value.first ?? 0
    written.append((byte, world.uptime))
    switch byte {
    case 0x02: isStreaming = true
    case 0x03: isStreaming = false
    case 0x05: faults.chatter = nil
    case 0x08: lose(ToyFamily.leaving)
    case 0x01 where faults.answersNonsense: send([0x81, 0xFF])
    default: if !faults.isMute { send([0x80 | byte]) }
    }
  }

  func disconnect() {
    isDisconnected = true
    lose(LinkFailure(.closed, "the gateway closed the connection"))
  }

  /// The link is gone; whoever says so again is not heard.
  func lose(_ failure: LinkFailure) {
    guard end == nil else { return }
    end = failure
    ended?(failure)
  }

  func send(_ packet: [UInt8]) {
    guard end == nil else { return }
    received?(ToyFamily.notification, packet.span.bytes, world.now)
  }

  /// The board's life on this link, for a task of its own.
  func live() async {
    var nextChatter = world.uptime
    while end == nil {
      do { try await world.sleep(for: ToyFamily.period) } catch { return }
      if isStreaming, !faults.isSilent, !faults.isMute { send([0x20]) }
      if let chatter = faults.chatter, nextChatter <= world.uptime {
        nextChatter = world.uptime + chatter.pause
        send(chatter.packet)
      }
    }
  }
}
