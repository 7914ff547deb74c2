import FleetModel

/// `/metrics`: the numbers of health under the names of the contract, what is distributed, adapters and boards. Pure.
struct MetricsPage {
  /// Boards that have series of their own; others are counted. With this many the page stays below 2 MB.
  static let mostBoards = 1_000
  /// The same of adapters, which come and go as dongles are replaced.
  static let mostAdapters = 64

  private let snapshot: FleetSnapshot
  private let showsNames: Bool
  private var text = MetricsText()

  static func content(_ snapshot: FleetSnapshot, showsNames: Bool) -> HTTPContent {
    var page = MetricsPage(snapshot: snapshot, showsNames: showsNames)
    page.addGateway()
    page.addDistributions()
    page.addAdapters()
    page.addBoards()
    return HTTPContent(200, MetricsText.contentType, page.text.bytes)
  }

  private init(snapshot: FleetSnapshot, showsNames: Bool) {
    (self.snapshot, self.showsNames) = (snapshot, showsNames)
  }

  private mutating func addGateway() {
    for metric in Metric.allCases {
      guard let value = snapshot.numbers[metric] else { continue }
      text.add(
        metric.exposedName, metric.isCounter ? .counter : .gauge, metric.summary,
        [.init(metric.exposed(value))])
    }
    var labels = [("gateway", snapshot.gateway)]
    if let info = snapshot.info { labels.append(("version", info.version)) }
    if showsNames, let site = snapshot.info?.site { labels.append(("site", site)) }
    text.add("gateway_info", .gauge, "Which gateway this is", [.init(1, labels)])
    text.add(
      "storage_condition", .gauge, "How the gateway's disk is: 1 for what counts now",
      StorageCondition.allCases.map {
        .init($0 == snapshot.readiness.storage ? 1 : 0, [("condition", $0.rawValue)])
      })
    text.add(
      "broker_connected", .gauge, "Whether the broker is connected",
      [.init(snapshot.readiness.isBrokerConnected ? 1 : 0)])
    text.add(
      "ready", .gauge, "Whether /readyz says so",
      [.init(ReadinessReport(snapshot.readiness).causes.isEmpty ? 1 : 0)])
  }

  private mutating func addDistributions() {
    for distribution in Distribution.allCases {
      guard let histogram = snapshot.distributions[distribution] else { continue }
      text.add(distribution.exposedName, distribution.summary, histogram)
    }
  }

  private mutating func addAdapters() {
    let adapters = snapshot.adapters.prefix(Self.mostAdapters)
    func add(
      _ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: (AdapterReport) -> Double
    ) {
      text.add(
        "bluetooth_adapter_\(name)", kind, help,
        adapters.map { .init(value($0), [("adapter", $0.id.address.compact), ("name", $0.name)]) })
    }
    add("up", .gauge, "Whether the adapter can be used") { $0.state == "up" ? 1 : 0 }
    add("scanning", .gauge, "Whether the adapter looks for advertisements") { $0.isScanning ? 1 : 0 }
    add("slots_used", .gauge, "Places for connections in use") { Double($0.slotsUsed) }
    add("slots", .gauge, "Places for connections") { Double($0.slotsTotal) }
    add("load_packets_per_second", .gauge, "What the streams of its boards ask of its connections") {
      $0.load
    }
    add("connects_ok_total", .counter, "Connections that came about") { Double($0.connectsOK) }
    add("connects_failed_total", .counter, "Connections that did not come about") {
      Double($0.connectsFailed)
    }
    add("resets_total", .counter, "Resets of the adapter") { Double($0.resets) }
    add("scan_restarts_total", .counter, "Scans that were restarted because nothing was received") {
      Double($0.scanRestarts)
    }
  }

  private mutating func addBoards() {
    let boards = snapshot.boards.prefix(Self.mostBoards)
    text.add(
      "boards_not_listed", .gauge, "Boards without series of their own, because there are more than fit",
      [.init(Double(snapshot.boards.count - boards.count))])
    text.add("board_info", .gauge, "Which board this is", boards.map { .init(1, labels(of: $0)) })
    for gauge in BoardGauge.allCases {
      text.add(
        "board_\(gauge.rawValue)", .gauge, gauge.summary,
        boards.compactMap { board in
          gauge.value(of: board).map { .init($0, [("board", board.id.description)]) }
        })
    }
  }

  private func labels(of board: FleetSnapshot.Board) -> [(String, String)] {
    var labels = [("board", board.id.description)]
    if showsNames { labels.append(("name", board.name)) }
    labels.append(("model", board.info?.description?.model ?? ""))
    labels.append(("fw", board.state?.identity.firmware ?? ""))
    if showsNames { labels.append(("site", board.info?.site ?? snapshot.info?.site ?? "")) }
    return labels + [("gateway", snapshot.gateway)]
  }
}
