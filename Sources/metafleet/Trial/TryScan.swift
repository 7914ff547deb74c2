import BoardKit
import FleetModel

/// What `metafleet try` makes of what a radio reports, until it knows which board to connect to.
struct TryScan: Sendable {
  /// What has to be done now.
  enum Action: Hashable, Sendable {
    case report(TryStep)
    /// No other adapters any more.
    case use(AdapterID)
    /// The time of the scan begins.
    case begin
    /// Nothing else is looked for; the board to connect to, or nil where that cannot be.
    case end(Target?)
  }

  /// The board to connect to.
  struct Target: Hashable, Sendable {
    var board: BoardID
    var adapter: AdapterID
    /// What the system calls the adapter.
    var adapterName: String
  }

  private let wanted: BoardID?
  private let adapter: String?
  /// How long boards are looked for, from the first adapter on.
  let span: Duration
  private var result: ScanResult
  private var adapters: [AdapterID: AdapterStatus] = [:]
  private var used: Set<AdapterID> = []
  private var connected: Set<BoardID> = []

  /// Looks for `wanted`, else for the board received best within `span`; over `adapter`, by name or address, else over
  /// all there are.
  init(wanted: BoardID?, adapter: String?, span: Duration, family: FamilyDescriptor) {
    (self.wanted, self.adapter, self.span) = (wanted, adapter, span)
    result = ScanResult(family: family, isEverything: false, expected: wanted)
  }

  /// Takes what the radio reports.
  mutating func take(_ event: RadioEvent) -> [Action] {
    switch event {
    case .service(isAvailable: false, let message): return [.report(.noService(message)), .end(nil)]
    case .adapter(let status): return take(status)
    case .adapterGone(let id):
      adapters[id] = nil
      // Those that are not used any more are not gone.
      guard used.remove(id) != nil, used.isEmpty else { return [] }
      return [.report(.noAdapter(wanted: adapter, known: known)), .end(nil)]
    case .connection(let board, _, let isConnected):
      if isConnected { connected.insert(board) } else { connected.remove(board) }
      return used.isEmpty ? [] : endIfHeld
    case .advertisement(let report):
      guard used.contains(report.adapter) else { return [] }
      result.heard(report)
      return report.board == wanted ? choose() : []
    case .service, .scanRestarted: return []
    }
  }

  private mutating func take(_ status: AdapterStatus) -> [Action] {
    guard status.id != .withoutAddress else { return [] }
    adapters[status.id] = status
    guard status.state == .up, status.isNamed(adapter), used.insert(status.id).inserted else { return [] }
    var actions: [Action] = [.report(.adapter(status))]
    if adapter != nil { actions.append(.use(status.id)) }
    if used.count == 1 { actions.append(.begin) }
    return actions + endIfHeld
  }

  /// The time in which an adapter should have come up is over.
  func adaptersAreLate() -> [Action] {
    used.isEmpty ? [.report(.noAdapter(wanted: adapter, known: known)), .end(nil)] : []
  }

  /// The time of the scan is over.
  func choose() -> [Action] {
    let received = result.sorted
    let candidates = received.filter { wanted == nil ? !$0.isBootloader : $0.report.board == wanted }
    guard let best = candidates.first else {
      return [
        .report(
          .nothingReceived(
            wanted: wanted, received: received, connected: connected.sorted(), within: span)),
        .end(nil),
      ]
    }
    guard !best.isBootloader else { return [.report(.bootloader(best.report.board)), .end(nil)] }
    let report = best.report
    return [
      .report(.scan(received, chosen: report.board, isWanted: wanted != nil)),
      .end(
        Target(
          board: report.board, adapter: report.adapter,
          adapterName: adapters[report.adapter]?.name ?? report.adapter.description)),
    ]
  }

  /// A board that somebody on this computer is connected to does not advertise: there is nothing to wait for, and it is
  /// left to that program (fault F181).
  private var endIfHeld: [Action] {
    guard let wanted, connected.contains(wanted) else { return [] }
    return [.report(.held(wanted)), .end(nil)]
  }

  private var known: [AdapterStatus] { adapters.values.sorted { $0.name < $1.name } }
}
