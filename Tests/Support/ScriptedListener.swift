import Foundation
import Glibc

/// A TCP port that takes connections and says the same bytes to each, or nothing. Without a script it does not even
/// take them: its queue holds one connection, and a second one waits for ever.
package final class ScriptedListener: Sendable {
  package let port: UInt16
  /// One element per connection that was taken and has said something.
  package let greetings: AsyncStream<Void>
  private let descriptor: Int32

  package enum Script: Sendable {
    /// Says this after the first bytes, and keeps the connection.
    case answer([UInt8])
    /// Hangs up after the first bytes.
    case hangUp
    /// Resets the connection after the first bytes.
    case reset
    /// Never answers.
    case silence
  }

  package init(_ script: Script?) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      } && listen(descriptor, 0) == 0
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    greetings = stream
    guard let script else { return }
    Thread.detachNewThread {
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        var bytes = [UInt8](repeating: 0, count: 1_024)
        _ = read(connection, &bytes, bytes.count)
        switch script {
        case .answer(let answer): _ = write(connection, answer, answer.count)
        case .hangUp: close(connection)
        case .reset:
          var now = linger(l_onoff: 1, l_linger: 0)
          setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
          close(connection)
        case .silence: break
        }
        continuation.yield()
      }
    }
  }

  /// Ends the thread that accepts.
  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Fills the queue, so that the next connection is never completed. Returns what keeps it full.
  package func fill() -> Int32 {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(port: port)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return client
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }
}
