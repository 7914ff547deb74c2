internal import FoundationEssentials
internal import Glibc

/// Keeps what a gateway stores from other users of the computer: also what an earlier version, another umask or a copy
/// has left open.
enum PrivateFiles {
  /// How the names begin of all that a gateway puts into its state directory.
  private static let beginnings = [
    "diagnostics", "firmware", "last-result", "lock", "metafleet.sqlite", "run.json",
  ]

  /// Closes what is ours in a state directory to everybody else, and the directory, where it holds nothing else:
  /// whoever keeps a state in a shared place needs that as it is. What we may not change stays.
  static func protect(_ directory: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let ours = names.filter { name in beginnings.contains { name.hasPrefix($0) } }
    for name in ours { protectOne("\(directory)/\(name)") }
    if ours.count == names.count { protectOne(directory) }
  }

  /// Makes a file that is missing, so that nobody gets in before its mode is what it shall be. SQLite gives a
  /// database's mode to what it puts beside it.
  static func create(_ path: String) {
    // Not one that is there: to close it again would take the locks that this process may have on it.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  private static func protectOne(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { return }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else { return }
    chmod(path, status.st_mode & 0o700)
  }
}
