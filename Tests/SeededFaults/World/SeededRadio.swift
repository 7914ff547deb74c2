import BoardKit
import FleetModel
import Simulator
import Support
import VirtualTime

/// The radio of a seeded world: simulated boards behind an operating system that outlives the daemon, with the
/// random faults of the script in between, telling the ledger what is true.
actor SeededRadio: SystemRadio {
  private let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }

  let radio: SimulatedRadio
  private let ledger: Ledger
  private let names: [BoardID]
  private var listener: AsyncStream<RadioEvent>.Continuation?
  private var refusals: [BoardID: (reason: LinkFailure.Reason?, times: Int)] = [:]
  private var mute: Set<BoardID> = []
  private var evilNames: Set<BoardID> = []
  /// Where packets of the links go that are up.
  private var sinks: [BoardID: @Sendable (Characteristic, RawSpan, Timestamp) -> Void] = [:]
  private var answered: Set<BoardID> = []

  init(world: SeededWorld, boards: Int, seed: UInt64, ledger: Ledger) {
    self.world = world
    self.ledger = ledger
    let all = GatewayParts.boards(boards, seed: seed)
    names = all.map { BoardID($0.address) }
    radio = SimulatedRadio(boards: all, air: Air(seed: seed), timekeeper: world, executor: world)
  }

  /// Lets time pass until cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [radio] in await radio.live() }
      for await event in radio.events { pass(event) }
      group.cancelAll()
    }
  }

  private func pass(_ event: RadioEvent) {
    var event = event
    switch event {
    case .connection(let board, _, let isUp):
      if !isUp {
        sinks[board] = nil
        answered.remove(board)
      }
      ledger.note(.link(board, isUp: isUp))
    case .advertisement(var report) where evilNames.contains(report.board):
      report.name = "x/#+\u{1b}[2J\n\u{202e}../\"}"
      event = .advertisement(report)
    default: break
    }
    listener?.yield(event)
  }

  // For the daemon.

  /// Somebody new listens and is told what there is.
  func attach(_ listener: AsyncStream<RadioEvent>.Continuation) async {
    self.listener = listener
    await radio.reportWhatIsThere()
  }

  func discover(_ isWanted: Bool, unfiltered: Bool) async {
    await radio.discover(isWanted, unfiltered: unfiltered)
  }

  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    ledger.note(.connecting(board))
    if let refusal = refusals[board], refusal.times > 0 {
      refusals[board]?.times -= 1
      do { try await world.sleep(for: refusal.reason == nil ? timeout : .milliseconds(300)) } catch {
        throw LinkFailure(.closed, "the attempt was cancelled")
      }
      throw LinkFailure(refusal.reason ?? .timedOut, "refused on request")
    }
    // A task of the system's own: what it has begun it ends, also when the daemon dies meanwhile.
    let attempt = Task(executorPreference: world) { [radio] in
      await Result(catching: { () async throws(LinkFailure) in
        try await radio.connect(to: board, via: adapter, timeout: timeout)
      })
    }
    let outcome = await withTaskCancellationHandler {
      await attempt.value
    } onCancel: {
      attempt.cancel()
    }
    return SeededLink(try outcome.get(), of: self)
  }

  func forget(_ board: BoardID, on adapter: AdapterID) async {
    ledger.note(.forgotten(board))
    await radio.forget(board, on: adapter)
  }

  func open(
    _ link: any BoardLink, received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) async {
    let board = link.board
    sinks[board] = received
    await link.open(
      received: { [weak self] characteristic, packet, time in
        self?.assumeIsolated { $0.deliver(packet, from: board, characteristic, time) }
      }, ended: ended)
  }

  private func deliver(
    _ packet: RawSpan, from board: BoardID, _ characteristic: Characteristic, _ time: Timestamp
  ) {
    guard !mute.contains(board) else { return }
    if answered.insert(board).inserted { ledger.note(.answered(board)) }
    sinks[board]?(characteristic, packet, time)
  }

  func said(_ what: AttributeUUID, by board: BoardID) { ledger.note(.read(board, what)) }

  func wrote(_ value: [UInt8], to characteristic: Characteristic, of board: BoardID) {
    switch characteristic {
    case MetaMotionAttributes.bootloaderControl: ledger.note(.requested(board, value))
    // A whole image.
    case MetaMotionAttributes.bootloaderPacket: break
    default: ledger.note(.wrote(board, value))
    }
  }

  func hungUp(_ board: BoardID) { ledger.note(.hungUp(board)) }

  // For the script.

  /// The daemon died: nobody listens any more, and links are nobody's.
  func daemonDied() async {
    listener = nil
    sinks.removeAll()
    answered.removeAll()
    await radio.abandonLinks()
  }

  func refuse(_ board: BoardID, _ reason: LinkFailure.Reason?, times: Int) {
    refusals[board] = (reason, times)
  }

  func setMute(_ board: BoardID, _ isMute: Bool) {
    if isMute { mute.insert(board) } else { mute.remove(board) }
  }

  func setEvilName(_ board: BoardID) { evilNames.insert(board) }

  /// Has packets arrive that the board never sent.
  func inject(_ packet: [UInt8], times: Int, from board: BoardID) {
    guard sinks[board] != nil else { return }
    for _ in 0..<times {
      deliver(packet.span.bytes, from: board, MetaMotionAttributes.notification, world.now)
    }
  }

  /// Nothing goes wrong from now on.
  func cure() async {
    refusals.removeAll()
    mute.removeAll()
    evilNames.removeAll()
    await radio.changeAir { air in
      air.outOfRange = []
      air.conditions = Air.Conditions()
    }
    await radio.setService(isThere: true)
    await radio.setAdapter(SimulatedRadio.adapter.id, .up)
  }
}

extension Result {
  fileprivate init(catching body: () async throws(Failure) -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
