import FleetModel
import Glibc

@testable import Simulator

/// A blocking client of a Unix stream socket that speaks in frames.
struct UnixClient {
  private let descriptor: Int32

  enum Failure: Error { case notConnected }

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let (descriptor, length) = (descriptor, socklen_t(MemoryLayout<sockaddr_un>.size))
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    }
    guard result == 0 else { throw Failure.notConnected }
  }

  func send(_ text: String) {
    let bytes = [UInt8](hex: text)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// The next frame without its length, as digits; empty at the end. Blocks.
  func receive() -> String {
    let length = read(4).reduce(0) { $0 << 8 | Int($1) }
    return read(length).hexadecimal
  }

  func close() { _ = Glibc.close(descriptor) }

  private func read(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : []
  }
}

extension [UInt8] {
  var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
