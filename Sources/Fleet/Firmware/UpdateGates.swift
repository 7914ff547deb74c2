import FleetModel

/// What has to be so before a board is touched for other firmware. Pure.
struct UpdateGates: Hashable, Sendable {
  /// What the board has, and is to get.
  var installed: String?
  var wanted: String
  /// Whether the same version, or an older one, is installed, too.
  var isForced: Bool
  /// Of the battery just now; nil where it could not be read.
  var battery: Int?
  var isCharging: Bool?
  /// Whether the bootloader may be replaced, which ends badly where the battery does.
  var allowsBootloader: Bool
  /// Entries of its log that are not downloaded, and how many may be lost.
  var entries: Int64
  var discard: Int64?
  /// Of its last advertisements, dBm; nil where none came lately.
  var signal: Int?

  /// Percent.
  static let leastBattery = 50
  static let leastBatteryForBootloader = 80
  /// dBm.
  static let leastSignal = -80

  /// Why nothing is installed now; nil where all is well.
  var refusal: CommandFailure? { sameVersion ?? lowBattery ?? undownloaded ?? weakSignal }

  private var sameVersion: CommandFailure? {
    guard !isForced, let installed, !VersionOrder.isNewer(wanted, than: installed) else { return nil }
    return .invalid(
      installed == wanted
        ? "the board has firmware \(installed) already; force=true installs it anew"
        : "the board has firmware \(installed), which is not older than \(wanted); force=true installs it all the same"
    )
  }

  private var lowBattery: CommandFailure? {
    if isCharging == true { return nil }
    let least = allowsBootloader ? Self.leastBatteryForBootloader : Self.leastBattery
    guard let battery else {
      return CommandFailure(
        .lowBattery, "the battery cannot be read, and an update needs \(least) %; connect a charger")
    }
    guard battery < least else { return nil }
    return CommandFailure(
      .lowBattery, "the battery is at \(battery) %, and an update needs \(least) %; charge the board",
      data: ["battery_pct": .integer(Int64(battery))])
  }

  private var undownloaded: CommandFailure? {
    guard entries > 0, discard != entries else { return nil }
    return CommandFailure(
      .undownloadedData,
      "\(CountText.entries(Int(entries))) not downloaded yet, which new firmware may erase; download them, or send discard=\(entries)",
      data: ["entries": .integer(entries)])
  }

  private var weakSignal: CommandFailure? {
    guard let signal, signal < Self.leastSignal else { return nil }
    return CommandFailure(
      .busy,
      "the board is received with \(signal) dBm, and an update needs \(Self.leastSignal) dBm; bring it nearer",
      data: ["rssi_dbm": .integer(Int64(signal))])
  }
}

/// Which of two versions is newer, number by number.
enum VersionOrder {
  /// What is no version is not newer than anything, and anything is newer than that.
  static func isNewer(_ version: String, than other: String) -> Bool {
    guard let new = numbers(version) else { return false }
    guard let old = numbers(other) else { return true }
    let length = max(new.count, old.count)
    func padded(_ numbers: [Int]) -> [Int] { numbers + Array(repeating: 0, count: length - numbers.count) }
    return padded(old).lexicographicallyPrecedes(padded(new))
  }

  /// nil of what is no version; what stands behind the numbers does not count.
  private static func numbers(_ text: String) -> [Int]? {
    var numbers: [Int] = []
    for part in text.prefix(while: { $0.isNumber || $0 == "." }).split(separator: ".") {
      guard let number = Int(part) else { return nil }
      numbers.append(number)
    }
    return numbers.isEmpty ? nil : numbers
  }
}
