/// What each target may import: the bands of the picture in `.github/CONTRIBUTING.md` as a table, and the reason why a
/// target is one.
enum ImportTable {
  struct Row {
    /// Our targets, C targets included.
    let ours: Set<String>
    /// The system's modules and third-party products.
    let others: Set<String>

    init(_ ours: Set<String>, _ others: Set<String> = []) {
      self.ours = ours
      self.others = others
    }

    var all: Set<String> { ours.union(others) }
  }

  static let rows: [String: Row] = [
    // The nouns, the two seams, the loop.
    "FleetModel": Row([], ["Synchronization"]),
    "BoardKit": Row(["FleetModel"]),
    "Dialects": Row(["FleetModel"]),
    "EventLoops": Row(["CLinux"], ["Glibc", "Synchronization"]),
    // Families and the outside world.
    "MetaMotion": Row(["FleetModel", "BoardKit", "CZlib"]),
    "DBus": Row(["EventLoops", "CDBus"], ["Glibc", "Synchronization"]),
    "Mosquitto": Row(["FleetModel", "Dialects", "EventLoops", "CMosquitto", "COpenSSL"], ["Glibc"]),
    "Curl": Row(["EventLoops", "CCurl"]),
    "Web": Row(["FleetModel", "EventLoops", "CMicrohttpd", "CPage"], ["Glibc"]),
    "Storage": Row(["FleetModel", "EventLoops"], ["FoundationEssentials", "Glibc", "GRDB"]),
    "BlueZ": Row(["FleetModel", "BoardKit", "DBus", "EventLoops"], ["Glibc", "Synchronization"]),
    // The fleet, and boards without hardware.
    "Fleet": Row(["FleetModel", "BoardKit", "Dialects", "Storage"], ["Logging"]),
    "Simulator": Row(["FleetModel", "BoardKit", "DBus", "EventLoops"], ["Glibc"]),
    // Everything, but neither libdbus nor libmosquitto at first hand.
    "metafleet": Row(
      [
        "FleetModel", "BoardKit", "Curl", "Dialects", "EventLoops", "MetaMotion", "DBus", "Mosquitto",
        "Storage", "BlueZ",
        "Fleet", "Simulator", "Web", "CBuild", "CLinux",
      ],
      ["ArgumentParser", "Foundation", "Glibc", "Logging", "Synchronization", "Yams"]),
  ]

  /// C targets: headers, and what Glibc's module lacks.
  static let headers: Set<String> = [
    "CBuild", "CCurl", "CDBus", "CLinux", "CMicrohttpd", "CMosquitto", "COpenSSL", "CPage", "CZlib",
  ]
}
