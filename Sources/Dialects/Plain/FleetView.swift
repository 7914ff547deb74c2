package import FleetModel

/// What the broker's retained documents say about boards and gateways, for who listens to them.
package struct FleetView: Sendable {
  /// How much is read.
  package enum Scope: Sendable {
    /// What names and lists boards.
    case boards
    /// Also how gateways, their adapters and rollouts and the boards' LEDs are, what boards are meant to do, and their
    /// firmware.
    case everything
  }

  /// A board with its documents as they are on the broker.
  package struct Board: Sendable {
    package var id: BoardID
    package var info: BoardInfoDocument?
    package var availability: AvailabilityDocument?
    package var state: BoardStateDocument?
    package var led: LEDDocument?
    package var config: ConfigurationDocument?
    package var firmware: FirmwareDocument?

    /// Its name for people, its address where there is none to be seen; as it came, so never printed unescaped.
    package var name: String {
      info?[.name].flatMap { PrintableText.isVisible($0) ? $0 : nil } ?? id.address.colonSeparated
    }
    package var groups: [String] { info?[.groups] ?? [] }
    /// The gateway that speaks for it.
    package var gateway: String? { state?[.gateway] ?? info?[.gateway] ?? availability?[.gateway] }

    fileprivate var isEmpty: Bool {
      info == nil && availability == nil && state == nil && led == nil && config == nil && firmware == nil
    }
  }

  /// A gateway with its documents as they are on the broker.
  package struct Gateway: Sendable {
    package var availability: GatewayAvailabilityDocument?
    package var info: GatewayInfoDocument?
    package var health: HealthDocument?
    package var alarms: AlarmsDocument?
    /// By address without separators.
    package var adapters: [String: AdapterDocument] = [:]
    /// By id.
    package var rollouts: [String: RolloutDocument] = [:]

    package var isOnline: Bool { availability?[.state] == .online }

    fileprivate var isEmpty: Bool {
      availability == nil && info == nil && health == nil && alarms == nil && adapters.isEmpty
        && rollouts.isEmpty
    }
  }

  package private(set) var boards: [BoardID: Board] = [:]
  package private(set) var gateways: [String: Gateway] = [:]
  private let base: String
  private let scope: Scope

  package init(base: String, scope: Scope = .boards) {
    self.base = base
    self.scope = scope
  }

  /// What to subscribe to for the documents of boards and gateways.
  package var filters: [String] {
    let (boardKinds, gatewayKinds) =
      switch scope {
      case .boards: (["info", "availability", "state"], ["availability"])
      case .everything:
        (
          ["info", "availability", "state", "led", "config", "firmware"],
          ["availability", "info", "health", "alarms", "adapter/+", "rollout/+"]
        )
      }
    return boardKinds.map { "\(base)/board/+/\($0)" } + gatewayKinds.map { "\(base)/gateway/+/\($0)" }
  }

  /// Takes a document in; an empty one removes what was there.
  package mutating func apply(topic: String, payload: [UInt8]) {
    guard topic.hasPrefix(base + "/") else { return }
    let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 3 || levels.count == 4 && ["adapter", "rollout"].contains(levels[2]) else { return }
    switch levels[0] {
    case "gateway": apply(payload, levels[2], levels.last ?? "", to: String(levels[1]))
    case "board" where levels.count == 3: apply(payload, levels[2], to: levels[1])
    default: break
    }
  }

  private mutating func apply(_ document: [UInt8], _ kind: Substring, to level: Substring) {
    guard let id = BoardID(level), id.description == level else { return }
    var board = boards[id] ?? Board(id: id)
    switch kind {
    case "info": board.info = BoardInfoDocument(document)
    case "availability": board.availability = AvailabilityDocument(document)
    case "state": board.state = BoardStateDocument(document)
    case "led": board.led = LEDDocument(document)
    case "config": board.config = ConfigurationDocument(document)
    case "firmware": board.firmware = FirmwareDocument(document)
    default: return
    }
    boards[id] = board.isEmpty ? nil : board
  }

  private mutating func apply(
    _ document: [UInt8], _ kind: Substring, _ part: Substring, to id: String
  ) {
    var gateway = gateways[id] ?? Gateway()
    switch kind {
    case "availability": gateway.availability = GatewayAvailabilityDocument(document)
    case "info": gateway.info = GatewayInfoDocument(document)
    case "health": gateway.health = HealthDocument(document)
    case "alarms": gateway.alarms = AlarmsDocument(document)
    case "adapter": gateway.adapters[String(part)] = AdapterDocument(document)
    case "rollout": gateway.rollouts[String(part)] = RolloutDocument(document)
    default: return
    }
    gateways[id] = gateway.isEmpty ? nil : gateway
  }

  /// The gateway that speaks for a board, as far as it is known here.
  package func gateway(of board: Board) -> Gateway? { board.gateway.flatMap { gateways[$0] } }

  /// Whether the gateway of a board is gone, so that whatever is said of the board is only on paper.
  package func isGatewayOffline(of board: Board) -> Bool { gateway(of: board)?.isOnline != true }

  /// Groups that boards are in, sorted.
  package var groups: [String] { Set(boards.values.flatMap(\.groups)).sorted() }
}
