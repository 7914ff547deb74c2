import Foundation
import Glibc

/// Where the daemon keeps what must survive (MQTT contract 7.2).
enum StateDirectory {
  /// Root's, and a service's.
  static let ofSystem = "/var/lib/metafleet"

  /// The configured one; else systemd's; else the system's for root and the user's for others.
  static func path(configured: String?, environment: [String: String], isRoot: Bool = geteuid() == 0)
    -> String
  {
    if let configured { return configured }
    if let given = ofService(environment) { return given }
    if isRoot { return ofSystem }
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return "\(base)/metafleet" }
    return "\(environment["HOME"] ?? "/tmp")/.local/state/metafleet"
  }

  /// The one that systemd gives a service; nil where there is none.
  static func ofService(_ environment: [String: String]) -> String? {
    // A list when a unit asks for several; the first is ours.
    environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
  }
}
