import Dialects
import FleetModel

/// What the demo has seen of its boards on the broker, as any client would.
struct DemoBoard: Sendable {
  /// What was counted since the start.
  struct Tally: Hashable, Sendable, CustomStringConvertible {
    var received = 0
    var published = 0
    var dropped = 0

    var description: String { "received \(received) published \(published) dropped \(dropped)" }

    var json: JSONObject {
      [
        "received": .integer(Int64(received)), "published": .integer(Int64(published)),
        "dropped": .integer(Int64(dropped)),
      ]
    }
  }

  private static let trendWidth = 20

  private let expected: Int
  private var fleet = FleetView(base: "metafleet")
  private var trends: [BoardID: Sparkline] = [:]
  private var temperatures: [BoardID: Double] = [:]
  /// Boards that streamed at least once.
  private(set) var streamed: Set<BoardID> = []

  init(expecting boards: Int) { expected = boards }

  /// Whether every board came up.
  var isComplete: Bool { streamed.count >= expected }

  /// What to subscribe to.
  var filters: [String] {
    fleet.filters + ["acceleration", "temperature-die"].map { "metafleet/board/+/live/\($0)" }
  }

  /// Takes a message in.
  mutating func received(_ message: MQTTMessage) {
    let sample = LiveSampleDocument(message.payload)
    guard let sample, let board = sample[.board], let stream = sample[.stream] else {
      fleet.apply(topic: message.topic, payload: message.payload)
      for board in fleet.boards.values where board.state?[.link] == .streaming { streamed.insert(board.id) }
      return
    }
    let value = sample.values.first?.value
    switch stream {
    case "acceleration":
      if let value { trends[board, default: Sparkline(width: Self.trendWidth)].append(value) }
    case "temperature-die": temperatures[board] = value
    default: break
    }
  }

  /// How many stream now.
  private var streaming: Int { fleet.boards.values.count { $0.state?[.link] == .streaming } }

  /// One line of status.
  func line(after elapsed: Duration, _ tally: Tally) -> String {
    "\(elapsed.components.seconds)s: \(streaming) of \(expected) \(expected == 1 ? "board streams" : "boards stream"), \(tally)"
  }

  /// The same for programs.
  func object(after elapsed: Duration, _ tally: Tally) -> JSONObject {
    let object: JSONObject = [
      "elapsed_s": .integer(elapsed.components.seconds), "boards": .integer(Int64(expected)),
      "streaming": .integer(Int64(streaming)),
    ]
    return object.merging(tally.json)
  }

  /// The live table, as many rows as there is room for.
  func lines(after elapsed: Duration, _ tally: Tally, address: String, width: Int, isColoured: Bool)
    -> [String]
  {
    var table = Table([
      .init("BOARD"), .init("MODEL"), .init("LINK"), .init("BATTERY", isRight: true),
      .init("RSSI", isRight: true), .init("DIE", isRight: true), .init("ACCELERATION X"),
    ])
    for board in fleet.boards.values.sorted(by: { $0.id < $1.id }) {
      let state = board.state
      let link = state?[.linkWord] ?? "–"
      let style: Style = link == "streaming" ? .good : .warning
      table.rows.append([
        .init(printable(board.name), .bold), .init(printable(board.info?[.model] ?? "–")),
        .init(printable(link), style),
        .init(state?[.batteryPercent].map { "\($0) %" } ?? "–"),
        .init(state?[.rssi].map { "\($0) dBm" } ?? "–"),
        .init(temperatures[board.id].map { "\(($0 * 10).rounded() / 10) °C" } ?? "–"),
        .init(trends[board.id]?.text ?? ""),
      ])
    }
    let summary = line(after: elapsed, tally)
    return [TextWidth.cut("\(address)  \(summary)  (Ctrl-C ends)", to: width)]
      + table.lines(width: width, isColoured: isColoured)
  }
}
