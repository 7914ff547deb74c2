import Dialects
import FleetModel

/// The fleet in numbers, as `top` shows it.
struct FleetTables {
  let monitor: FleetMonitor
  let uptime: Duration
  let now: Timestamp

  private var fleet: FleetView { monitor.fleet }

  /// One line for all.
  var headline: String {
    let boards = fleet.boards.values
    let online = boards.count { !fleet.isGatewayOffline(of: $0) && $0.availability?[.state] == .online }
    let rates = boards.compactMap { monitor.rates.rate(of: $0.id, at: uptime) }
    let waiting = boards.reduce(0) { $0 &+ ($1.state?[.commandsWaiting] ?? 0) }
    var words = ["\(online) of \(boards.count) \(boards.count == 1 ? "board" : "boards") online"]
    if !rates.isEmpty { words.append("\(Self.rounded(rates.reduce(0, +))) samples/s") }
    if waiting > 0 { words.append("\(CountText.of(Int(clamping: waiting), "command")) queued") }
    return words.joined(separator: ", ")
  }

  /// One row per gateway.
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
      let health = gateway.health
      let dropped = count(health, .samplesDropped)
      table.rows.append([
        .init(printable(id), .bold), availability(of: gateway),
        ratio(count(health, .boardsConnected), count(health, .boardsAdmitted)),
        ratio(count(health, .slotsUsed), count(health, .slotsTotal)),
        number(count(health, .outboxMessages)), .init(Self.age(health?[.outboxOldest])),
        .init(dropped.map { "\($0)" } ?? "–", dropped ?? 0 > 0 ? .bad : nil),
        number(count(health, .sessionsFailed)),
        bytes(health?[.storageFree]), bytes(health?[.residentMemory]), trouble(of: gateway),
      ])
    }
    return table
  }

  private func availability(of gateway: FleetView.Gateway) -> Table.Cell {
    let age = gateway.availability?[.since].map { " \(Age.text(of: now - $0))" }
    return gateway.isOnline ? .init("online\(age ?? "")", .good) : .init("offline\(age ?? "")", .bad)
  }

  private func trouble(of gateway: FleetView.Gateway) -> Table.Cell {
    guard gateway.isOnline else { return "" }
    let troubles = [(Metric.bluetoothOK, "bluetooth"), (.storageOK, "storage"), (.clockSynced, "clock")]
    let storage = gateway.health?[.storageWord].map { "storage \(printable($0))" } ?? "storage"
    let words = troubles.filter { gateway.health?[$0.0] == 0 }.map { $0.1 == "storage" ? storage : $0.1 }
      .joined(separator: ", ")
    return .init(words, words == "clock" ? .warning : .bad)
  }

  /// One row per adapter.
  var adapters: Table {
    var table = Table([
      .init("ADAPTER"), .init("GATEWAY", rank: 5), .init("STATE"), .init("SLOTS", isRight: true),
      .init("WAITING", isRight: true, rank: 1), .init("CONNECTS", isRight: true, rank: 6),
      .init("FAILED", isRight: true, rank: 4),
      .init("RESETS", isRight: true, rank: 3), .init("SCAN", rank: 7), .init("LAST ERROR", rank: 2),
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
          .init(printable(adapter[.lastError] ?? "")),
        ])
      }
    }
    return table
  }

  /// One row per board.
  func boards(_ order: BoardSortOrder) -> Table {
    var table = Table([
      .init("NAME"), .init("AVAILABILITY", rank: 1), .init("LINK", minimum: 12),
      .init("BATTERY", isRight: true, rank: 3),
      .init("RSSI", isRight: true, rank: 4), .init("RATE", isRight: true, minimum: 6),
      .init("LOST", isRight: true, rank: 2),
      .init("CLOCK", isRight: true, rank: 5, minimum: 8), .init("FAILED", isRight: true, rank: 6),
      .init("WAITING", isRight: true, rank: 8), .init("SEEN", isRight: true, rank: 7, minimum: 4),
      .init("TROUBLE", rank: 2), .init("ID", rank: 9), .init("GATEWAY", rank: 10),
    ])
    for board in order.sorted(monitor, at: uptime) {
      let state = board.state
      let (words, style) = BoardTable.availabilityWords(of: board, in: fleet, now: now)
      let lost = state?[.samplesLost]
      let failed = state?[.sessionFailures]
      let isOffline = fleet.isGatewayOffline(of: board)
      table.rows.append([
        .init(printable(board.name), .bold), .init(printable(words), style),
        .init(isOffline ? "–" : printable(state?[.linkWord] ?? "–")),
        .init(unit(state?[.batteryPercent], "%"), BoardTable.batteryStyle(state)),
        .init(unit(state?[.rssi], "dBm")),
        .init(monitor.rates.rate(of: board.id, at: uptime).map { "\(Self.rounded($0))/s" } ?? "–"),
        .init(lost.map { "\($0)" } ?? "–", lost ?? 0 > 0 ? .bad : nil),
        .init(state?[.clockError].map { "±\(ParameterType.plain($0)) ms" } ?? "–"),
        .init(failed.map { "\($0)" } ?? "–", failed ?? 0 > 0 ? .warning : nil),
        number(state?[.commandsWaiting]),
        .init(isOffline ? "–" : seen(state)),
        .init(isOffline ? "" : printable(state?[.streamReasonWord] ?? ""), .bad),
        .init(board.id.description), .init(printable(board.gateway ?? "–")),
      ])
    }
    return table
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
