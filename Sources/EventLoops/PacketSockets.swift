import Glibc

/// Two connected local sockets that keep packets apart: what one end sends at once, the other receives at once.
package struct PacketSockets: Sendable {
  /// Both are the caller's to close. They do not block and are not inherited by child processes.
  package let near, far: Int32

  package init() throws(SystemCallFailure) {
    var pair: [Int32] = [-1, -1]
    let kind = SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &pair) == 0 else { throw SystemCallFailure("socketpair") }
    (near, far) = (pair[0], pair[1])
  }
}
