import CLinux
import FleetModel
import Glibc

/// The gateway's socket for commands that look into its archive: one line of JSON each way, and with the first one the
/// descriptors of standard output, standard error and, if there is one, the file to write.
enum ArchiveSocket {
  static let name = "archive.sock"
  /// The owner's and the group's.
  static let mode = "0660"

  /// In the directory that systemd makes for the service.
  static func path(environment: [String: String]) -> String {
    let directories = environment["RUNTIME_DIRECTORY"] ?? ""
    return (directories.split(separator: ":").first.map(String.init) ?? "/run/metafleet") + "/" + name
  }

  /// What there is at `path`.
  static func state(at path: String) -> ArchiveAccess.Socket {
    do throws(SystemFailure) {
      close(try connected(to: path))
      return .open
    } catch {
      return error.code == EACCES || error.code == EPERM ? .forbidden : .missing
    }
  }

  /// Why a call failed.
  struct SystemFailure: Error { let code: Int32 }

  static func connected(to path: String) throws(SystemFailure) -> Int32 {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let hasRoom = withUnsafeMutableBytes(of: &name.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      room.copyBytes(from: path.utf8)
      return true
    }
    guard hasRoom else { throw SystemFailure(code: ENAMETOOLONG) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemFailure(code: errno) }
    let isConnected = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else {
      let code = errno
      close(descriptor)
      throw SystemFailure(code: code)
    }
    return descriptor
  }

  /// Sends all bytes, the descriptors with the first of them; false where nobody takes them.
  static func send(_ bytes: [UInt8], with descriptors: [Int32] = [], to socket: Int32) -> Bool {
    var (rest, descriptors) = (bytes[...], descriptors)
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { bytes in
        clinux_send_with_descriptors(
          socket, bytes.baseAddress, Int32(bytes.count), descriptors, Int32(descriptors.count))
      }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(Int(sent))
      descriptors = []
    }
    return true
  }

  /// Takes what has come, and adds it; false at the end of it.
  static func receive(_ bytes: inout [UInt8], _ descriptors: inout [Int32], from socket: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var found =
      descriptors + Array(repeating: -1, count: Int(CLINUX_MOST_DESCRIPTORS) - descriptors.count)
    var number = Int32(descriptors.count)
    let count = clinux_receive_with_descriptors(socket, &buffer, Int32(buffer.count), &found, &number)
    descriptors = Array(found.prefix(Int(number)))
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    bytes += buffer.prefix(Int(count))
    return count > 0
  }
}
