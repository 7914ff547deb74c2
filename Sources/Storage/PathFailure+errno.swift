internal import EventLoops
package import FleetModel
internal import Glibc

extension PathFailure {
  /// After a system call: `errno` says why.
  package static func text(_ path: String, _ what: String, code: Int32 = errno) -> String {
    text(path, what, reason: SystemError.reason(code), deniedTo: SystemError.user(deniedBy: code))
  }
}
