import Glibc

/// Where a program is that we need.
enum ProgramPath {
  /// Daemons are not on an ordinary user's path.
  private static let systemDirectories = ["/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin"]

  /// Debian's package of a program.
  private static let packages = ["mosquitto": "mosquitto", "dbus-daemon": "dbus-daemon"]

  /// The program's path; a failure that names the fix.
  static func find(
    _ program: String, path: String? = getenv("PATH").map { String(cString: $0) }
  ) throws(CommandLineFailure) -> String {
    let directories = (path ?? "").split(separator: ":").map(String.init) + systemDirectories
    for directory in directories where access("\(directory)/\(program)", X_OK) == 0 {
      return "\(directory)/\(program)"
    }
    throw CommandLineFailure(
      .unavailable,
      "\(program) is not installed; on Debian: apt install \(packages[program] ?? program)")
  }
}
