import Dialects
import FleetModel

/// The alarms of all gateways, as `top` lists them: the gravest first, what somebody has acknowledged last. Pure.
enum AlarmTable {
  /// What a gateway that is gone said of itself is as old as that.
  private static func entries(_ fleet: FleetView) -> [(gateway: String, alarm: AlarmEntry)] {
    let all = fleet.gateways.filter { $0.value.isOnline }.sorted { $0.key < $1.key }.flatMap { id, gateway in
      (gateway.alarms?.entries ?? []).map { (gateway: id, alarm: $0) }
    }
    func rank(_ place: Int) -> (Int, Int, Int64, Int) {
      let alarm = all[place].alarm
      return (
        alarm[.isAcknowledged] == true ? 1 : 0,
        alarm[.severity].flatMap { AlarmSeverity(rawValue: $0)?.rank } ?? AlarmSeverity.allCases.count,
        alarm[.since]?.milliseconds ?? .max, place
      )
    }
    return all.indices.sorted { rank($0) < rank($1) }.map { all[$0] }
  }

  /// One row per alarm that is listed.
  static func table(_ fleet: FleetView, now: Timestamp) -> Table {
    var table = Table([
      .init("ALARM"), Table.names("OF"), .init("FOR", isRight: true), .init("SEEN BY", rank: 3, maximum: 16),
      .init("GATEWAY", rank: 4), .init("WHAT TO DO", rank: 1, maximum: 120, narrow: 60),
    ])
    for (gateway, alarm) in entries(fleet) {
      let isSeen = alarm[.isAcknowledged] == true
      let of = alarm[.name] ?? alarm[.board] ?? alarm[.adapter]
      table.rows.append([
        .init(printable(alarm[.code] ?? "–"), isSeen ? .dim : style(of: alarm)),
        .init(of.map(printable) ?? "gateway"),
        .init(alarm[.since].map { Age.text(of: now - $0) } ?? "–"),
        .init(isSeen ? alarm[.acknowledgedBy].map(printable) ?? "somebody" : ""), .init(printable(gateway)),
        .init(printable(alarm[.text] ?? ""), isSeen ? .dim : nil),
      ])
    }
    return table
  }

  private static func style(of alarm: AlarmEntry) -> Style? {
    switch alarm[.severity].flatMap({ AlarmSeverity(rawValue: $0) }) {
    case .critical: .bad
    case .warning: .warning
    case .info, nil: nil
    }
  }

  /// How many nobody has acknowledged, listed or not.
  static func unacknowledged(_ fleet: FleetView) -> Int {
    fleet.gateways.values.filter(\.isOnline).reduce(0) { $0 &+ ($1.alarms?[.unacknowledged] ?? 0) }
  }
}
