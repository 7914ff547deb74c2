import Foundation
import Glibc

/// Where the daemon keeps what must survive (MQTT contract 7.2).
enum StateDirectory {
  /// The configured one; else systemd's; else the system's for root and the user's for others.
  static func path(configured: String?, environment: [String: String], isRoot: Bool = geteuid() == 0)
    -> String
  {
    if let configured { return configured }
    // systemd gives a list when a unit asks for several; the first is ours.
    if let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(given) }
    if isRoot { return "/var/lib/metafleet" }
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return "\(base)/metafleet" }
    return "\(environment["HOME"] ?? "/tmp")/.local/state/metafleet"
  }
}
