import FleetModel

/// The status page: the gateway, its adapters and its boards, troubles first. Plain HTML without scripts. Pure.
struct StatusPage {
  /// Boards that are shown; others are counted.
  static let mostBoards = 1_000

  private let snapshot: FleetSnapshot
  private var html = HTMLText()

  static func content(_ snapshot: FleetSnapshot) -> HTTPContent {
    var page = StatusPage(snapshot: snapshot)
    page.addHead()
    page.addGateway()
    page.addAdapters()
    page.addBoards()
    page.html.markup("</main>\n</body>\n</html>\n")
    return HTTPContent(200, "text/html; charset=utf-8", page.html.bytes)
  }

  private init(snapshot: FleetSnapshot) { self.snapshot = snapshot }

  private mutating func addHead() {
    html.markup(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <link rel="stylesheet" href="/style.css">
      <title>
      """)
    html.text("MetaFleet \(snapshot.gateway)")
    html.markup("</title>\n</head>\n<body>\n<main>\n<h1>")
    html.text(snapshot.gateway)
    html.markup("</h1>\n")
  }

  private mutating func addGateway() {
    var troubles = ReadinessReport(snapshot.readiness).causes
    if let error = snapshot.info?.troubles.configurationError { troubles.append("configuration: \(error)") }
    if snapshot.numbers[.clockSynced] == 0 {
      troubles.append("clock: no time service keeps it; set one up, such as systemd-timesyncd")
    }
    if troubles.isEmpty {
      html.markup("<p>Ready.</p>\n")
    } else {
      html.markup("<ul class=\"trouble\">\n")
      for trouble in troubles {
        html.markup("<li>")
        html.text(trouble)
        html.markup("</li>\n")
      }
      html.markup("</ul>\n")
    }
    html.table(["Gateway", ""])
    for (name, value) in facts { html.row([name, value]) }
    html.endTable()
  }

  private var facts: [(String, String)] {
    func number(_ metric: Metric) -> String {
      snapshot.numbers[metric].map(ParameterType.plain) ?? "–"
    }
    return [
      ("version", snapshot.info?.version ?? "–"), ("site", snapshot.info?.site ?? "–"),
      ("running for", snapshot.numbers[.uptime].map { Self.span(.seconds(Int64($0))) } ?? "–"),
      ("boards connected", "\(number(.boardsConnected)) of \(number(.boardsAdmitted))"),
      ("places for connections", "\(number(.slotsUsed)) of \(number(.slotsTotal)) in use"),
      ("samples published", number(.samplesPublished)), ("samples dropped", number(.samplesDropped)),
      ("messages that wait for the broker", number(.outboxMessages)),
    ]
  }

  private mutating func addAdapters() {
    html.markup("<h2>Adapters</h2>\n")
    guard !snapshot.adapters.isEmpty else {
      html.markup("<p>None.</p>\n")
      return
    }
    html.table(["Adapter", "State", "Connections", "Waiting", "Failed", "Last error"])
    let sorted = snapshot.adapters.sorted {
      ($0.state == "up" ? 1 : 0, $0.name) < ($1.state == "up" ? 1 : 0, $1.name)
    }
    for adapter in sorted.prefix(MetricsPage.mostAdapters) {
      html.row(
        [
          "\(adapter.name) \(adapter.id.address.colonSeparated)", adapter.state,
          "\(adapter.slotsUsed) of \(adapter.slotsTotal)", "\(adapter.queue.waiting)",
          "\(adapter.connectsFailed) of \(adapter.connectsOK + adapter.connectsFailed)",
          adapter.lastError?.sentence ?? "",
        ], isTrouble: adapter.state != "up")
    }
    html.endTable()
  }

  private mutating func addBoards() {
    html.markup("<h2>Boards</h2>\n")
    guard !snapshot.boards.isEmpty else {
      html.markup("<p>None is admitted; metafleet admit takes one in.</p>\n")
      return
    }
    let lines = snapshot.boards.map { ($0, BoardStatusLine($0)) }.sorted { left, right in
      let (first, second) = (left.1.isTrouble ? 0 : 1, right.1.isTrouble ? 0 : 1)
      return (first, left.0.name, left.0.id) < (second, right.0.name, right.0.id)
    }
    html.table(["Board", "Availability", "Connection", "Why", "Battery", "Signal", "Seen", "Address"])
    for (board, line) in lines.prefix(Self.mostBoards) {
      html.row(cells(of: board, line), isTrouble: line.isTrouble)
    }
    html.endTable()
    guard lines.count > Self.mostBoards else { return }
    html.markup("<p>")
    html.text("And \(CountText.of(lines.count - Self.mostBoards, "more board")).")
    html.markup("</p>\n")
  }

  private func cells(of board: FleetSnapshot.Board, _ line: BoardStatusLine) -> [String] {
    let state = board.state
    let since = board.availability.map { " for \(Self.span(snapshot.time - $0.since))" } ?? ""
    let seen =
      state?.link.isConnected == true
      ? "now" : state?.contact.lastSeen.map { "\(Self.span(snapshot.time - $0)) ago" } ?? "–"
    return [
      board.name, line.availability + since, line.link, line.reasons.joined(separator: "; "),
      state?.battery.percent.map { "\($0) %" } ?? "–", state?.rssi.map { "\($0) dBm" } ?? "–", seen,
      board.id.address.colonSeparated,
    ]
  }

  /// To the second, to the minute above an hour.
  private static func span(_ time: Duration) -> String {
    let seconds = max(0, time.components.seconds)
    return DurationText.format(.seconds(seconds >= 3_600 ? seconds / 60 * 60 : seconds))
  }
}
