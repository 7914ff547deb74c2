import Dialects
import FleetModel

/// What the broker's retained documents say about boards and gateways, as clients need it.
struct FleetView: Sendable {
  /// A board with its documents as they are on the broker.
  struct Board: Sendable {
    var id: BoardID
    var info: JSONObject?
    var availability: JSONObject?
    var state: JSONObject?

    /// Its name for people; as it came, so never printed unescaped.
    var name: String { info?["name"]?.string ?? id.address.colonSeparated }
    var groups: [String] { info?["groups"]?.array?.compactMap(\.string) ?? [] }
    /// The gateway that speaks for it.
    var gateway: String? { (state?["gw"] ?? info?["gw"] ?? availability?["gw"])?.string }
  }

  private(set) var boards: [BoardID: Board] = [:]
  /// Availability documents of gateways by id.
  private(set) var gateways: [String: JSONObject] = [:]
  private let base: String

  init(base: String) { self.base = base }

  /// What to subscribe to for the documents of boards and gateways.
  var filters: [String] {
    ["info", "availability", "state"].map { "\(base)/board/+/\($0)" } + ["\(base)/gateway/+/availability"]
  }

  /// Takes a document in; an empty one removes what was there.
  mutating func apply(topic: String, payload: [UInt8]) {
    guard topic.hasPrefix(base + "/") else { return }
    let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 3 else { return }
    let document = payload.isEmpty ? nil : try? StrictJSON.parse(payload, limits: .trusting).object
    switch (levels[0], levels[2]) {
    case ("gateway", "availability"): gateways[String(levels[1])] = document
    case ("board", let kind): apply(document, kind, to: levels[1])
    default: break
    }
  }

  private mutating func apply(_ document: JSONObject?, _ kind: Substring, to level: Substring) {
    guard let id = BoardID(level), id.description == level else { return }
    var board = boards[id] ?? Board(id: id)
    switch kind {
    case "info": board.info = document
    case "availability": board.availability = document
    case "state": board.state = document
    default: return
    }
    let isEmpty = board.info == nil && board.availability == nil && board.state == nil
    boards[id] = isEmpty ? nil : board
  }

  /// The boards as people list them: by name, then by id.
  var sorted: [Board] {
    boards.values.sorted { left, right in
      left.name == right.name ? left.id < right.id : NaturalOrder.isBefore(left.name, right.name)
    }
  }

  /// Whether the gateway of a board is gone, so that whatever is said of the board is only on paper.
  func isGatewayOffline(of board: Board) -> Bool {
    guard let gateway = board.gateway, let document = gateways[gateway] else { return true }
    return document["state"]?.string != "online"
  }

  /// Groups that boards are in, sorted.
  var groups: [String] { Set(boards.values.flatMap(\.groups)).sorted() }
}
