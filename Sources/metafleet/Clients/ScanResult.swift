import BoardKit
import Dialects
import FleetModel

/// What was heard during a scan, each board once.
struct ScanResult: Sendable {
  /// A board and where it was heard best.
  struct Entry: Hashable, Sendable {
    var report: AdvertisementReport
    var isBootloader: Bool
    /// Whether this computer has a link to it, so that it does not advertise.
    var isConnected = false
  }

  private let family: FamilyDescriptor
  /// Whether devices that are no boards count.
  private let isEverything: Bool
  /// The one that counts whatever it advertises.
  private let expected: BoardID?
  private var entries: [BoardID: Entry] = [:]
  /// The system's names of adapters.
  private var adapters: [AdapterID: String] = [:]

  init(family: FamilyDescriptor, isEverything: Bool, expected: BoardID? = nil) {
    self.family = family
    self.isEverything = isEverything
    self.expected = expected
  }

  /// How many devices were heard.
  var count: Int { entries.count }

  /// Takes an advertisement in; the strongest counts, and a name that was heard once stays.
  mutating func heard(_ report: AdvertisementReport) {
    let isBootloader = family.isBootloader(report)
    guard
      isEverything || isBootloader || family.recognises(report) || report.board == expected
        || entries[report.board] != nil
    else { return }
    guard let known = entries[report.board] else {
      entries[report.board] = Entry(report: report, isBootloader: isBootloader)
      return
    }
    var best = (report.rssi ?? .min) >= (known.report.rssi ?? .min) ? report : known.report
    best.name = report.visibleName ?? known.report.name
    entries[report.board] = Entry(report: best, isBootloader: isBootloader || known.isBootloader)
  }

  /// Takes in what the system knows of a device when the scan is over.
  mutating func found(_ report: AdvertisementReport, isConnected: Bool) {
    if isConnected || entries[report.board] == nil { heard(report) }
    guard isConnected, entries[report.board] != nil else { return }
    entries[report.board]?.isConnected = true
    entries[report.board]?.report.adapter = report.adapter
  }

  /// Takes an adapter's name in.
  mutating func note(_ status: AdapterStatus) { adapters[status.id] = status.name }

  /// Strongest first.
  var sorted: [Entry] {
    entries.values.sorted {
      ($1.report.rssi ?? .min, $0.report.board) < ($0.report.rssi ?? .min, $1.report.board)
    }
  }

  /// One row per board; without a fleet it is not known who is admitted.
  func table(_ fleet: FleetView?) -> Table {
    var table = Table([
      .init("ADDRESS"), Table.names("NAME"), .init("RSSI", isRight: true, rank: 1), .init("STATE"),
      .init("ADAPTER", rank: 3), .init("MODEL", rank: 2), .init("ADMITTED"), .init("OWNER"),
    ])
    for entry in sorted {
      let report = entry.report
      let board = fleet?.boards[report.board]
      let name = board?.name ?? report.visibleName
      let model = entry.isBootloader ? "bootloader" : board?.info?[.model]
      let state: Table.Cell = entry.isConnected ? .init("connected", .good) : "advertising"
      let admitted: Table.Cell =
        fleet == nil ? "?" : board == nil ? Table.Cell("no", .warning) : Table.Cell("yes", .good)
      table.rows.append([
        .init(report.board.address.colonSeparated), .init(name.map(printable) ?? "–", .bold),
        .init(report.rssi.map { "\($0) dBm" } ?? "–"), state,
        .init(printable(adapters[report.adapter] ?? report.adapter.description)),
        .init(model.map(printable) ?? "–"), admitted,
        .init(board?.gateway.map(printable) ?? "–"),
      ])
    }
    return table
  }

  /// One object per board, with the keys of the gateway's scan.
  func objects(_ fleet: FleetView?) -> [JSONObject] {
    sorted.map { entry in
      let report = entry.report
      let board = fleet?.boards[report.board]
      var object: JSONObject = ["board": .string(report.board.description)]
      object["name"] = (board?.name ?? report.visibleName).map { .string($0) }
      object["rssi_dbm"] = report.rssi.map { .integer(Int64($0)) }
      object["adapter"] = .string(report.adapter.description)
      object["connected"] = .bool(entry.isConnected)
      if fleet != nil { object["admitted"] = .bool(board != nil) }
      object["model"] = board?.info?[.model].map { .string($0) }
      object["owner"] = board?.gateway.map { .string($0) }
      object["bootloader"] = .bool(entry.isBootloader)
      return object
    }
  }
}
