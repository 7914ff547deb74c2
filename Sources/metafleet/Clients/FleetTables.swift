import Dialects
import FleetModel

/// The fleet in numbers, as `top` shows it.
struct FleetTables {
  let monitor: FleetMonitor
  let uptime: Duration
  let now: Timestamp
  /// Which boards are listed; all count.
  var filter = BoardFilter()

  private var fleet: FleetView { monitor.fleet }

  /// One line for all.
  var headline: String {
    let summary = FleetSummary(boards: Array(fleet.boards.values), fleet: fleet)
    let boards = fleet.boards.values
    let rates = boards.compactMap(rate)
    let waiting = boards.reduce(0) { $0 &+ ($1.state?[.commandsWaiting] ?? 0) }
    var words = ["\(summary.online) of \(boards.count) \(boards.count == 1 ? "board" : "boards") online"]
    if summary.troubled > 0 { words.append("\(summary.troubled) with trouble") }
    if !rates.isEmpty { words.append("\(Self.rounded(rates.reduce(0, +))) samples/s") }
    let updating = boards.count { BoardCondition($0, in: fleet).link == LinkPhase.updating.rawValue }
    if updating > 0 { words.append("\(CountText.of(updating, "board")) getting firmware") }
    let alarms = AlarmTable.unacknowledged(fleet)
    if alarms > 0 { words.append(CountText.of(alarms, "alarm")) }
    if waiting > 0 { words.append("\(CountText.of(Int(clamping: waiting), "command")) queued") }
    return words.joined(separator: ", ")
  }

  /// Samples a second; nil of a board that none can come of now.
  private func rate(of board: FleetView.Board) -> Double? {
    guard BoardCondition(board, in: fleet).isConnected else { return nil }
    return monitor.rates.rate(of: board.id, at: uptime)
  }

  /// One row per gateway. Boards and slots are counted in the rows below, so that they never say otherwise, whatever is
  /// older: a document of an adapter or health (fault F213). Of a gateway that is gone nothing is known (fault F214).
  var gateways: Table {
    var table = Table([
      .init("GATEWAY"), .init("STATE"), .init("BOARDS", isRight: true, rank: 3),
      .init("SLOTS", isRight: true, rank: 4),
      .init("OUTBOX", isRight: true), .init("OLDEST", isRight: true, rank: 5),
      .init("DROPPED", isRight: true, rank: 1), .init("FAILED", isRight: true, rank: 6),
      .init("DISK FREE", isRight: true, rank: 7),
      .init("MEMORY", isRight: true, rank: 8), .init("TROUBLE", rank: 2),
    ])
    for (id, gateway) in fleet.gateways.sorted(by: { $0.key < $1.key }) {
      let health = gateway.isOnline ? gateway.health : nil
      let boards = fleet.boards.values.filter { $0.gateway == id }
      let summary = FleetSummary(boards: Array(boards), fleet: fleet)
      let adapters = gateway.adapters.values
      let usable = adapters.filter { $0[.state] == "up" }
      let dropped = count(health, .samplesDropped)
      table.rows.append([
        .init(printable(id), .bold), availability(of: gateway),
        gateway.isOnline ? ratio(summary.online, boards.count) : "–",
        gateway.isOnline && !adapters.isEmpty
          ? ratio(Self.sum(adapters, .slotsUsed), Self.sum(usable, .slotsTotal)) : "–",
        number(count(health, .outboxMessages)), .init(Self.age(health?[.outboxOldest])),
        .init(dropped.map { "\($0)" } ?? "–", dropped ?? 0 > 0 ? .bad : nil),
        number(count(health, .sessionsFailed)),
        bytes(health?[.storageFree]), bytes(health?[.residentMemory]), trouble(of: gateway, boards),
      ])
    }
    return table
  }

  private static func sum(
    _ adapters: some Sequence<AdapterDocument>, _ field: DocumentField<AdapterDocument, Int>
  ) -> Int {
    adapters.reduce(0) { $0 &+ ($1[field] ?? 0) }
  }

  private func availability(of gateway: FleetView.Gateway) -> Table.Cell {
    let age = gateway.availability?[.since].map { " \(Age.text(of: now - $0))" }
    return gateway.isOnline ? .init("online\(age ?? "")", .good) : .init("offline\(age ?? "")", .bad)
  }

  private func trouble(of gateway: FleetView.Gateway, _ boards: [FleetView.Board]) -> Table.Cell {
    guard gateway.isOnline else { return "" }
    var words: [String] = []
    let adapters = gateway.adapters.values
    let hasRadio =
      adapters.isEmpty ? gateway.health?[.bluetoothOK] != 0 : adapters.contains { $0[.state] == "up" }
    if !hasRadio { words.append("bluetooth") }
    if gateway.health?[.storageOK] == 0 {
      words.append(gateway.health?[.storageWord].map { "storage \(printable($0))" } ?? "storage")
    }
    if !boards.isEmpty, boards.allSatisfy({ $0.state?[.reasonCode] == .drained }) { words.append("drained") }
    let isBad = !words.isEmpty
    if gateway.health?[.clockSynced] == 0 { words.append("clock") }
    return .init(words.joined(separator: ", "), isBad ? .bad : .warning)
  }

  /// One row per adapter.
  var adapters: Table {
    var table = Table([
      .init("ADAPTER"), .init("GATEWAY", rank: 5), .init("STATE"), .init("SLOTS", isRight: true),
      .init("WAITING", isRight: true, rank: 1), .init("CONNECTS", isRight: true, rank: 6),
      .init("FAILED", isRight: true, rank: 4),
      .init("RESETS", isRight: true, rank: 3), .init("SCAN", rank: 2), .init("LAST ERROR", rank: 8),
    ])
    for (id, gateway) in fleet.gateways.sorted(by: { $0.key < $1.key }) where gateway.isOnline {
      for (mac, adapter) in gateway.adapters.sorted(by: { $0.key < $1.key }) {
        let state = adapter[.state] ?? "–"
        table.rows.append([
          .init(printable(adapter[.name] ?? mac), .bold), .init(printable(id)),
          .init(printable(state), state == "up" ? .good : .bad),
          ratio(adapter[.slotsUsed], adapter[.slotsTotal]),
          number(adapter[.waiting]), number(adapter[.connectsOK]), number(adapter[.connectsFailed]),
          number(adapter[.resets]), .init(adapter[.isScanning] == true ? "on" : "off"),
          lastError(of: adapter),
        ])
      }
    }
    return table
  }

  /// What went wrong last, and how long ago that is: most of it is over.
  private func lastError(of adapter: AdapterDocument) -> Table.Cell {
    guard let error = adapter[.lastError] else { return "" }
    let age = adapter[.lastErrorTime].map { "\(Age.text(of: now - $0)) ago: " }
    return .init((age ?? "") + printable(error))
  }

  /// One row per board that is listed. TROUBLE says why one is not online, or does not do what it should.
  func boards(_ order: BoardSortOrder) -> Table {
    var table = Table([
      Table.names("NAME"), .init("AVAILABILITY", rank: 1), .init("LINK", minimum: 12),
      .init("BATTERY", isRight: true, rank: 5),
      .init("RSSI", isRight: true, rank: 6), .init("RATE", isRight: true, minimum: 6),
      .init("LOST", isRight: true, rank: 3),
      .init("CLOCK", isRight: true, rank: 8, minimum: 8), .init("FAILED", isRight: true, rank: 9),
      .init("WAITING", isRight: true, rank: 10), .init("SEEN", isRight: true, rank: 7, minimum: 4),
      .init("TROUBLE", rank: 2, maximum: 40, narrow: 24), .init("GROUPS", rank: 4, maximum: 40, narrow: 12),
      .init("ID", rank: 11), .init("GATEWAY", rank: 12),
    ])
    let shown = order.sorted(monitor, at: uptime).filter { filter.passes($0, in: fleet) }
    for board in shown {
      let state = board.state
      let condition = BoardCondition(board, in: fleet)
      let (words, style) = BoardTable.availabilityWords(of: board, in: fleet, now: now, hasReason: false)
      let lost = state?[.samplesLost]
      let failed = state?[.sessionFailures]
      table.rows.append([
        .init(printable(board.name), .bold), .init(printable(words), style),
        .init(condition.link.map(printable) ?? "–"),
        .init(unit(state?[.batteryPercent], "%"), BoardTable.batteryStyle(state)),
        .init(unit(state?[.rssi], "dBm")),
        .init(rate(of: board).map { "\(Self.rounded($0))/s" } ?? "–"),
        .init(lost.map { "\($0)" } ?? "–", lost ?? 0 > 0 ? .bad : nil),
        .init(state?[.clockError].map { "±\(ParameterType.plain($0)) ms" } ?? "–"),
        .init(failed.map { "\($0)" } ?? "–", failed ?? 0 > 0 ? .warning : nil),
        number(state?[.commandsWaiting]),
        .init(condition.isGatewayOffline ? "–" : seen(state)),
        // That its gateway is gone stands under AVAILABILITY.
        .init(condition.isGatewayOffline ? "" : printable(condition.troubles.joined(separator: ", ")), .bad),
        .init(printable(board.groups.joined(separator: " "))),
        .init(board.id.description), .init(printable(board.gateway ?? "–")),
      ])
    }
    // Only while there are updates, behind LINK.
    let updates = shown.map(update)
    if updates.contains(where: { !$0.text.isEmpty }) {
      table.columns.insert(.init("UPDATE", rank: 1), at: 3)
      for (row, cell) in updates.enumerated() { table.rows[row].insert(cell, at: 3) }
    }
    return table
  }

  /// How far an update of its firmware has come, and how long the rest takes; what is done where nothing is sent.
  private func update(of board: FleetView.Board) -> Table.Cell {
    guard !fleet.isGatewayOffline(of: board), let firmware = board.firmware,
      let stage = firmware[.stage]
    else { return "" }
    guard firmware[.isInProgress] == true else {
      return stage == FirmwareReport.Progress.Stage.rescuing.rawValue ? .init(stage, .bad) : ""
    }
    guard let percent = firmware[.percent] else { return .init(printable(stage)) }
    let left = firmware[.expected].flatMap { $0 > now ? " \(Age.text(of: $0 - now))" : nil }
    return .init("\(Self.rounded(percent)) %\(left ?? "")")
  }

  /// How long ago an advertisement or an answer was received. While the board is connected, `last_seen_ms` is as old as
  /// its state, and says nothing.
  private func seen(_ state: BoardStateDocument?) -> String {
    if state?[.link]?.isConnected == true { return "now" }
    return state?[.lastSeen].map { Age.text(of: now - $0) } ?? "–"
  }

  private func number(_ value: Int?) -> Table.Cell { .init(value.map { "\($0)" } ?? "–") }

  private func unit(_ value: Int?, _ unit: String) -> String { value.map { "\($0) \(unit)" } ?? "–" }

  private func ratio(_ part: Int?, _ whole: Int?) -> Table.Cell {
    guard let part, let whole else { return "–" }
    return .init("\(part)/\(whole)")
  }

  /// A number of a gateway's health that counts something.
  private func count(_ health: HealthDocument?, _ metric: Metric) -> Int? {
    health?[metric].flatMap { Int(exactly: $0.rounded()) }
  }

  private static func age(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite, seconds < 1e9, seconds > 0 else { return "–" }
    return Age.text(of: .milliseconds(Int64(seconds * 1_000)))
  }

  private func bytes(_ value: Double?) -> Table.Cell {
    guard var value else { return "–" }
    var unit = "B"
    for larger in ["kB", "MB", "GB", "TB"] where value >= 1_000 { (value, unit) = (value / 1_000, larger) }
    return .init("\(Self.rounded(value)) \(unit)")
  }

  /// One decimal below ten, none above.
  static func rounded(_ value: Double) -> String {
    let scale = abs(value) < 10 ? 10.0 : 1
    return ParameterType.plain((value * scale).rounded() / scale)
  }
}
