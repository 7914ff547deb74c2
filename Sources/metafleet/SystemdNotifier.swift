import Foundation
import Glibc

/// Tells systemd how the service is, where it runs under systemd.
struct SystemdNotifier: Sendable {
  private let socket: String?
  /// Within what time systemd must hear that the service goes on (`WatchdogSec=`); nil where it does not ask.
  let watchdogLimit: Duration?

  /// `environment` is that of the process, whose number is `process`.
  init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    process: Int32 = ProcessInfo.processInfo.processIdentifier
  ) {
    socket = environment["NOTIFY_SOCKET"]
    // What we start inherits the variables, and is not meant.
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    watchdogLimit = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  func ready() { send("READY=1") }
  func stopping() { send("STOPPING=1") }
  /// Feeds the watchdog.
  func goesOn() { send("WATCHDOG=1") }

  private func send(_ state: String) {
    guard let socket, !socket.isEmpty else { return }
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(socket.utf8)
    // A leading @ stands for an abstract socket, whose name begins with a zero byte.
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let message = Array(state.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
        _ = sendto(descriptor, message, message.count, 0, target, length)
      }
    }
  }
}
