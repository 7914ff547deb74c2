import Dialects
import FleetModel

/// The boards of a fleet as a table, or as one object each.
enum BoardTable {
  /// One row per board, in this order.
  static func table(of boards: [FleetView.Board], in fleet: FleetView, now: Timestamp) -> Table {
    var table = Table([
      Table.names("NAME"), .init("ID", rank: 2), .init("MODEL", rank: 6), .init("AVAILABILITY"),
      .init("LINK"),
      .init("BATTERY", isRight: true, rank: 3), .init("RSSI", isRight: true, rank: 4),
      .init("FIRMWARE", rank: 7), .init("GROUPS", rank: 1, maximum: 40, narrow: 12),
      .init("GATEWAY", rank: 5),
    ])
    for board in boards {
      let state = board.state
      let firmware = state?[.firmware] ?? board.info?[.firmware]
      table.rows.append([
        .init(printable(board.name), .bold), .init(board.id.description), text(board.info?[.model]),
        availability(of: board, in: fleet, now: now),
        // Nobody knows what a board does whose gateway is gone.
        text(BoardCondition(board, in: fleet).link),
        battery(state), text(state?[.rssi].map { "\($0) dBm" }), text(firmware),
        text(board.groups.isEmpty ? nil : board.groups.joined(separator: " ")), text(board.gateway),
      ])
    }
    return table
  }

  /// The documents of a board under their topics' names.
  static func object(of board: FleetView.Board, in fleet: FleetView) -> JSONObject {
    var object: JSONObject = ["board": .string(board.id.description)]
    object["info"] = board.info?.json.json
    object["availability"] = board.availability?.json.json
    object["state"] = board.state?.json.json
    object["gateway_availability"] = fleet.gateway(of: board)?.availability?.json.json
    return object
  }

  /// The same with the documents of the gateway, and of the adapter that has or last had the board.
  static func fullObject(of board: FleetView.Board, in fleet: FleetView) -> JSONObject {
    var object = object(of: board, in: fleet)
    let gateway = fleet.gateway(of: board)
    object["led"] = board.led?.json.json
    object["config"] = board.config?.json.json
    object["gateway_info"] = gateway?.info?.json.json
    object["gateway_health"] = gateway?.health?.json.json
    object["adapter"] = board.state?[.adapter].flatMap { gateway?.adapters[$0] }?.json.json
    return object
  }

  private static func text(_ value: String?) -> Table.Cell { Table.Cell(value.map(printable) ?? "–") }

  private static func availability(
    of board: FleetView.Board, in fleet: FleetView, now: Timestamp
  ) -> Table.Cell {
    let (words, style) = availabilityWords(of: board, in: fleet, now: now)
    return Table.Cell(printable(words), style)
  }

  /// Whether a board can be counted on, why not and since when; and how that looks.
  static func availabilityWords(
    of board: FleetView.Board, in fleet: FleetView, now: Timestamp, hasReason: Bool = true
  ) -> (words: String, style: Style?) {
    if fleet.isGatewayOffline(of: board) { return ("gateway offline", .bad) }
    guard let document = board.availability, let state = document[.state] else { return ("–", nil) }
    var words = state.rawValue
    if hasReason, let reason = document[.reasonWord], state != .online { words += " (\(reason))" }
    if let since = document[.since] { words += " \(Age.text(of: now - since))" }
    return (words, state == .online ? .good : state == .offline ? .bad : .warning)
  }

  private static func battery(_ state: BoardStateDocument?) -> Table.Cell {
    guard let percent = state?[.batteryPercent] else { return "–" }
    return Table.Cell("\(percent) %", batteryStyle(state))
  }

  /// How a battery looks: as the events say, low from 20 % and critical from 5 % on (MQTT contract 5).
  static func batteryStyle(_ state: BoardStateDocument?) -> Style? {
    guard let percent = state?[.batteryPercent] else { return nil }
    return percent <= 5 ? .bad : percent <= 20 ? .warning : nil
  }
}
