import Glibc

/// An `errno` in words.
package enum SystemError {
  /// The kernel's words.
  package static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// Who we are, where the error is that this user may not; nil for other errors.
  package static func user(deniedBy code: Int32) -> String? {
    guard code == EACCES || code == EPERM else { return nil }
    let name = getpwuid(geteuid()).flatMap { $0.pointee.pw_name }
    return name.map { String(cString: $0) } ?? "\(geteuid())"
  }
}
