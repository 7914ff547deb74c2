/// A gateway and its boards at one moment, as their documents say it: what pages and `/metrics` are made of.
package struct FleetSnapshot: Hashable, Sendable {
  /// A board as its retained documents say it; nil where one was not published yet.
  package struct Board: Hashable, Sendable {
    package var id: BoardID
    package var info: BoardInfo?
    package var availability: Availability?
    package var state: BoardState?

    package init(_ id: BoardID) { self.id = id }

    /// Its name, or its id where none is known.
    package var name: String { info?.name ?? id.description }
  }

  /// What a gateway needs to be of use.
  package struct Readiness: Hashable, Sendable {
    /// Whether the gateway has taken up its boards.
    package var isStarted = false
    /// Whether the broker is connected.
    package var isBrokerConnected = false
    /// Why no board can be connected, in words; nil when one can.
    package var bluetoothTrouble: String? = "BlueZ has not answered yet"
    /// How the disk is.
    package var storage = StorageCondition.fine

    package init() {}
  }

  /// When this was so.
  package var time: Timestamp
  /// The gateway's id.
  package var gateway: String
  package var info: GatewayInfo?
  package var readiness = Readiness()
  /// The numbers of health, as they are now.
  package var numbers: [Metric: Double] = [:]
  package var distributions: [Distribution: Histogram] = [:]
  /// In the order of their addresses.
  package var adapters: [AdapterReport] = []
  /// In the order of their ids.
  package var boards: [Board] = []

  package init(gateway: String, at time: Timestamp) { (self.gateway, self.time) = (gateway, time) }

  /// Takes what retained documents of boards say; other events say nothing here.
  package mutating func take(_ events: [FleetEvent]) {
    var boards: [BoardID: Board] = Dictionary(uniqueKeysWithValues: self.boards.map { ($0.id, $0) })
    for event in events {
      switch event {
      case .info(let info): boards[info.board, default: Board(info.board)].info = info
      case .availability(let id, let availability): boards[id, default: Board(id)].availability = availability
      case .state(let state): boards[state.board, default: Board(state.board)].state = state
      default: break
      }
    }
    self.boards = boards.values.sorted { $0.id < $1.id }
  }
}
