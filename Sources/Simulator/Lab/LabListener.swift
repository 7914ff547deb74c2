import EventLoops
import Glibc

/// A Unix stream socket at which the laboratory calls, once for each board.
final class LabListener: Sendable {
  private let path: String
  private let descriptor: Int32
  private let watch: Watch

  /// Takes the place of whatever lies at `path`. `accepted` is given a connection's descriptor, on the loop, and has
  /// to close it.
  init(
    at path: String, on loop: EventLoop, accepted: @escaping @Sendable (Int32) -> Void
  ) throws(SystemCallFailure) {
    let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(AF_UNIX, Int32(flags), 0)
    guard descriptor >= 0 else { throw SystemCallFailure("socket") }
    _ = unlink(path)
    do throws(SystemCallFailure) {
      try Self.bind(descriptor, to: path)
      guard listen(descriptor, 64) == 0 else { throw SystemCallFailure("listen") }
      watch = try loop.watch(descriptor, for: .read) { _ in
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        accepted(connection)
      }
    } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  func close() {
    watch.cancel()
    _ = Glibc.close(descriptor)
    _ = unlink(path)
  }

  private static func bind(_ descriptor: Int32, to path: String) throws(SystemCallFailure) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemCallFailure("bind", code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, length) }
    }
    guard result == 0 else { throw SystemCallFailure("bind") }
  }
}
