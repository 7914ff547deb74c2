import BoardKit
import Dialects
import FleetModel

/// What was heard during a scan, each board once.
struct ScanResult: Sendable {
  /// A board and where it was heard best.
  private struct Entry: Sendable {
    var sighting: Sighting
    var isBootloader: Bool
  }

  private let family: FamilyDescriptor
  /// Whether devices that are no boards count.
  private let isEverything: Bool
  private var entries: [BoardID: Entry] = [:]

  init(family: FamilyDescriptor, isEverything: Bool) {
    self.family = family
    self.isEverything = isEverything
  }

  /// How many devices were heard.
  var count: Int { entries.count }

  /// Takes an advertisement in; the strongest counts, and a name that was heard once stays.
  mutating func heard(_ sighting: Sighting) {
    let isBootloader = family.isBootloader(sighting)
    guard isEverything || isBootloader || family.recognises(sighting) || entries[sighting.board] != nil else {
      return
    }
    guard let known = entries[sighting.board] else {
      entries[sighting.board] = Entry(sighting: sighting, isBootloader: isBootloader)
      return
    }
    var best = (sighting.rssi ?? .min) >= (known.sighting.rssi ?? .min) ? sighting : known.sighting
    best.name = sighting.name ?? known.sighting.name
    entries[sighting.board] = Entry(sighting: best, isBootloader: isBootloader || known.isBootloader)
  }

  /// Strongest first.
  private var sorted: [Entry] {
    entries.values.sorted {
      ($1.sighting.rssi ?? .min, $0.sighting.board) < ($0.sighting.rssi ?? .min, $1.sighting.board)
    }
  }

  /// One row per board; without a fleet it is not known who is admitted.
  func table(_ fleet: FleetView?) -> Table {
    var table = Table([
      .init("ADDRESS"), .init("NAME"), .init("RSSI", isRight: true), .init("MODEL"), .init("ADMITTED"),
      .init("OWNER"),
    ])
    for entry in sorted {
      let sighting = entry.sighting
      let board = fleet?.boards[sighting.board]
      let name = board?.name ?? sighting.name
      let model = entry.isBootloader ? "bootloader" : board?.info?[.model]
      let admitted: Table.Cell =
        fleet == nil ? "?" : board == nil ? Table.Cell("no", .warning) : Table.Cell("yes", .good)
      table.rows.append([
        .init(sighting.board.address.colonSeparated), .init(name.map(printable) ?? "–", .bold),
        .init(sighting.rssi.map { "\($0) dBm" } ?? "–"), .init(model.map(printable) ?? "–"), admitted,
        .init(board?.gateway.map(printable) ?? "–"),
      ])
    }
    return table
  }

  /// One object per board, with the keys of the gateway's scan.
  func objects(_ fleet: FleetView?) -> [JSONObject] {
    sorted.map { entry in
      let sighting = entry.sighting
      let board = fleet?.boards[sighting.board]
      var object: JSONObject = ["board": .string(sighting.board.description)]
      object["name"] = (board?.name ?? sighting.name).map { .string($0) }
      object["rssi_dbm"] = sighting.rssi.map { .integer(Int64($0)) }
      object["adapter"] = .string(sighting.adapter.description)
      if fleet != nil { object["admitted"] = .bool(board != nil) }
      object["model"] = board?.info?[.model].map { .string($0) }
      object["owner"] = board?.gateway.map { .string($0) }
      object["bootloader"] = .bool(entry.isBootloader)
      return object
    }
  }
}
