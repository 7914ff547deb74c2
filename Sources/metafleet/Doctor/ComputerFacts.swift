import FleetModel

/// What is so on this computer, apart from the bus and the broker. A value: whoever looks fills it in, and the checks
/// judge it.
struct ComputerFacts: Hashable, Sendable {
  /// What there is of a configuration file.
  enum ConfigurationFact: Hashable, Sendable {
    case missing(places: [String])
    case unreadable(String)
    case read(name: String, errors: [String], warnings: Int)
  }

  /// What there is of the state directory.
  enum DirectoryFact: Hashable, Sendable {
    case missing
    case noDirectory
    /// `mode` are the permission bits.
    case there(mode: Int, isWritable: Bool)
    case unreadable(String)
  }

  /// What there is of the database in it.
  enum DatabaseFact: Hashable, Sendable {
    case missing
    case unreadable(String)
    case newer(String)
    case damaged(String)
    case sound
  }

  /// A switch of the kernel for a Bluetooth adapter.
  struct RadioSwitch: Hashable, Sendable {
    var name: String
    var isBlockedBySoftware: Bool
    var isBlockedByHardware: Bool
  }

  var configuration: ConfigurationFact
  var directory: String
  var state: DirectoryFact
  var database: DatabaseFact
  /// Databases that were put aside because they were damaged.
  var damagedDatabases: [String] = []
  var freeBytes: Int64?
  var wholeBytes: Int64?
  /// `storage.min_free`.
  var minimumFree: Int64
  var now: Timestamp
  var isClockSynchronised: Bool
  /// nil where it cannot be seen.
  var switches: [RadioSwitch]?
  var isRoot: Bool
}
