import Dialects
import FleetModel

/// What is recorded of a board, of its gateway and of the gateway's adapters: what causes are judged by, and nothing
/// else. Pure.
struct ExplanationFacts: Sendable {
  let board: BoardID
  let fleet: FleetView
  let now: Timestamp
  /// What was received of it just now; nil when nobody listened.
  var heard: ReceivedTraffic?

  var documents: FleetView.Board? { fleet.boards[board] }
  var state: BoardStateDocument { documents?.state ?? BoardStateDocument(json: [:]) }
  var link: LinkPhase? { state[.link] }
  var isConnected: Bool { link?.isConnected == true }
  var reason: ReasonCode? { state[.reasonCode] }
  /// Since when the reason is the same.
  var reasonSince: Timestamp? { state[.since] }
  var availability: Availability.Reason? { documents?.availability?[.reason] }
  /// Since when the availability is the same.
  var since: Timestamp? { documents?.availability?[.since] }

  // The gateway.

  var gateway: FleetView.Gateway? { documents.flatMap { fleet.gateway(of: $0) } }
  var gatewayName: String { documents?.gateway ?? "?" }
  /// ` on HOST`; empty where the host is not known.
  var place: String { gateway?.info?[.host].map { " on \($0)" } ?? "" }
  /// In the order of their names.
  var adapters: [AdapterDocument] {
    (gateway?.adapters.values).map { $0.sorted { ($0[.name] ?? "?") < ($1[.name] ?? "?") } } ?? []
  }
  var usableAdapters: [AdapterDocument] { adapters.filter(\.isUp) }
  /// The adapter that holds or last held the board.
  var ownAdapter: AdapterDocument? { state[.adapter].flatMap { gateway?.adapters[$0] } }

  /// The rollout that is not over and lists the board, and what it says of the board.
  var rollout: (RolloutDocument, RolloutRow)? {
    let rollouts = (gateway?.rollouts ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    for rollout in rollouts {
      let phase = rollout[.phase].flatMap { RolloutPhase(rawValue: $0) }
      guard phase?.isEnd == false else { continue }
      if let row = rollout.rows.first(where: { $0[.board] == board.description }) { return (rollout, row) }
    }
    return nil
  }

  /// Whether the gateway has a connection to another board: BlueZ works then, whatever became of this one.
  var isAnotherConnected: Bool {
    let id = board.description
    if usableAdapters.contains(where: { ($0[.connected] ?? []).contains { $0 != id } }) { return true }
    return fleet.boards.values.contains {
      $0.id != board && $0.gateway == documents?.gateway && $0.state?[.link]?.isConnected == true
        && $0.availability?[.reason] == .connected
    }
  }

  /// Whether the gateway shows that what a link failed of is not so for all boards, or is over.
  func disproves(_ reason: ReasonCode) -> Bool {
    switch reason {
    case .serviceGone:
      isAnotherConnected || gateway?.health?[.bluetoothOK] == 1 && availability != .busLost
    case .adapterGone, .adapterOff, .noRadio: !usableAdapters.isEmpty
    case .notPermitted: isAnotherConnected
    default: false
    }
  }

  // The board.

  /// After so long without an advertisement or a packet a board is not where it was.
  private static let absence = Duration.seconds(60)

  /// Whether the gateway does not receive the board. Both times are the gateway's.
  var isOutOfSight: Bool {
    if link == .unseen { return true }
    guard let seen = state[.lastSeen], let written = state[.time] else { return false }
    return written - seen > Self.absence
  }

  var isLogging: Bool { documents?.config?.logsSomething == true }

  /// Whether nobody wants to be connected before the next visit.
  var isBetweenVisits: Bool {
    guard link == .advertising || link == .unseen || link == .logging, reason == nil,
      let next = state[.nextContact], next > now
    else { return false }
    return availability.map { $0.state == .online } ?? true
  }

  /// Whether nothing is desired of the board that brings data; false where nobody says.
  var isAskedForNothing: Bool {
    guard let desired = documents?.config?[.desired] else { return false }
    return ["stream", "log", "process", "timers", "events"].allSatisfy {
      desired[$0]?.object?.isEmpty ?? true
    }
  }

  /// What the gateway says is lastingly wrong with its streams.
  var streamTrouble: ReasonCode? { state[.streamReasonCode] }
  var isSilent: Bool { streamTrouble == .streamSilent }

  /// Whether data are received, or collected by the board.
  var hasData: Bool {
    switch link {
    case .streaming, .logging, .downloading: !isSilent
    // Connected for a visit, while its log goes on.
    case .idle: isLogging && !isSilent
    // All that it should log it does not.
    case .advertising, .unseen:
      isBetweenVisits && !isAskedForNothing && (isLogging || streamTrouble != .notLogged)
    default: false
    }
  }
}

extension AdapterDocument {
  var isUp: Bool { self[.state] == "up" }

  /// Its name and state.
  var condition: String { "\(self[.name] ?? "?") is \(self[.state] ?? "?")" }

  /// Where a board stands in its queue, from 0; nil where it does not wait for it.
  func place(of board: BoardID) -> (index: Int, since: Timestamp?)? {
    let queue = self[.queue] ?? []
    guard let index = queue.firstIndex(where: { $0["board"]?.string == board.description }) else {
      return nil
    }
    return (index, queue[index]["since_ms"]?.integer.map { Timestamp(milliseconds: $0) })
  }
}
