import Foundation
import Glibc

/// A client of bare sockets, which sends what it is given and reads what comes.
final class BareClient: Sendable {
  private let descriptor: Int32

  /// Connects to a port of 127.0.0.1, from `source`, another address of this computer.
  init?(port: UInt16, from source: String = "127.0.0.1") {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // No test waits for ever.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard Self.call(bind, descriptor, source, 0), Self.call(Glibc.connect, descriptor, "127.0.0.1", port)
    else {
      close(descriptor)
      return nil
    }
  }

  /// Connects to a socket of the file system.
  init?(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
    let descriptor = descriptor
    let isConnected = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// False when the other end takes no more.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// All that comes until the other end closes, and a remark where that takes too long. On a thread of its own, as it
  /// blocks.
  func readAll() async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.take()) }
    }
  }

  /// What comes until `text` is in it, or the other end closes.
  func read(until text: String) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.take(until: text)) }
    }
  }

  private func take(until text: String? = nil) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
        if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
      } else {
        if count < 0, errno == EAGAIN { bytes += "(nothing more came)".utf8 }
        break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ host: String,
    _ port: UInt16
  ) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
