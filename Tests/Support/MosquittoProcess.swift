import Foundation
import Synchronization

/// A mosquitto of a test's own on a loopback port, with its files in a directory of its own. It ends with this
/// object, and with the test process, however that ends.
package final class MosquittoProcess: Sendable {
  /// What its configuration may say besides the defaults.
  package struct Options: Sendable {
    /// User name to password; nil lets everybody in.
    package var users: [String: String]?
    /// Lines of an access list, as in mosquitto.conf(5); nil allows all.
    package var accessList: String?
    /// PEM files of a listener with TLS.
    package var tls: (authorities: String, certificate: String, key: String)?
    /// Further lines of the configuration file.
    package var lines: [String] = []

    package init() {}
  }

  package let port: UInt16
  private let directory: URL
  private let running: Mutex<Running?>

  private struct Running {
    let daemon: Int32
    let shell: LifelineShell
  }

  package enum Failure: Error { case noBroker(String) }

  /// Runs `body` with a broker that lives exactly so long.
  package static func with<T>(
    _ options: Options = Options(), _ body: (MosquittoProcess) async throws -> T
  ) async throws -> T {
    let broker = try MosquittoProcess(options)
    defer { broker.end() }
    return try await body(broker)
  }

  /// Returns when it takes connections.
  package init(_ options: Options = Options()) throws {
    directory = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
      "mosquitto-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    var log = ""
    // Between finding a free port and taking it, another process may have been faster.
    for _ in 0..<10 {
      let candidate = try Self.freePort()
      try Self.write(options, port: candidate, to: directory)
      do {
        running = Mutex(try Self.launch(directory, port: candidate))
        port = candidate
        return
      } catch Failure.noBroker(let text) {
        log = text
      }
    }
    try? FileManager.default.removeItem(at: directory)
    throw Failure.noBroker(log)
  }

  deinit { end() }

  /// Starts it again on the same port, without any memory.
  package func restart() throws {
    let process = try Self.launch(directory, port: port)
    running.withLock { $0 = process }
  }

  /// Ends it in order: clients are told.
  package func stop() { finish(SIGTERM) }

  /// Ends it as a crash would.
  package func kill() { finish(SIGKILL) }

  /// It keeps its connections and answers nothing.
  package func freeze() { signal(SIGSTOP) }

  package func thaw() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    running.withLock { if let process = $0 { _ = Glibc.kill(process.daemon, number) } }
  }

  /// Returns when it has ended.
  private func finish(_ number: Int32) {
    running.withLock {
      guard let process = $0 else { return }
      for number in [number, SIGCONT] { _ = Glibc.kill(process.daemon, number) }
      process.shell.end(saying: "keep")
      $0 = nil
    }
  }

  private func end() {
    kill()
    try? FileManager.default.removeItem(at: directory)
  }
}

extension MosquittoProcess {
  /// The shell waits for a word, which says to keep the files for another start, or for the end of this process,
  /// after which it tidies up. It writes the process id, then the broker's log.
  private static let script = """
    PATH="$PATH:/usr/sbin:/usr/local/sbin"
    sh -c 'echo $$; exec mosquitto -c "$1/mosquitto.conf"' sh "$1" < /dev/null 2>&1 &
    read -r keep
    kill -TERM $! 2> /dev/null
    kill -CONT $! 2> /dev/null
    wait
    test -n "$keep" || rm -r "$1"
    """

  private static func launch(_ directory: URL, port: UInt16) throws -> Running {
    let shell = try LifelineShell(script, [directory.path])
    let daemon = shell.line().flatMap { Int32($0) }
    var last = "no output"
    while let daemon, let line = shell.line() {
      last = line
      if line.hasSuffix(" running") {
        waitForAnswer(at: port)
        return Running(daemon: daemon, shell: shell)
      }
      if line.contains("Error:") || line.contains("not found") { break }
    }
    shell.end(saying: "keep")
    throw Failure.noBroker(last)
  }

  private static func write(_ options: Options, port: UInt16, to directory: URL) throws {
    var lines = [
      "listener \(port) 127.0.0.1", "persistence false", "user root", "log_dest stderr", "log_type error",
      "log_type information", "connection_messages false", "sys_interval 0",
      "allow_anonymous \(options.users == nil)",
    ]
    if let users = options.users {
      let file = directory.appendingPathComponent("passwords")
      try Data().write(to: file)
      for (name, password) in users {
        let tool = try LifelineShell("exec mosquitto_passwd -b \"$@\" 2>&1", [file.path, name, password])
        while tool.line() != nil {}
      }
      lines.append("password_file \(file.path)")
    }
    if let accessList = options.accessList {
      let file = directory.appendingPathComponent("access")
      try Data(accessList.utf8).write(to: file)
      lines.append("acl_file \(file.path)")
    }
    if let tls = options.tls {
      lines += ["cafile \(tls.authorities)", "certfile \(tls.certificate)", "keyfile \(tls.key)"]
    }
    lines += options.lines
    let text = lines.joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: directory.appendingPathComponent("mosquitto.conf"))
  }

  /// Up does not mean at work: until then a signal would be forgotten. It hangs up on who does, if it is at work.
  private static func waitForAnswer(at port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var byte: UInt8 = 0
    if withLoopback(port: port, { connect(descriptor, $0, $1) }) == 0,
      shutdown(descriptor, Int32(SHUT_WR)) == 0
    {
      _ = recv(descriptor, &byte, 1, 0)
    }
  }

  /// A port of 127.0.0.1 that nobody listens on; far from those that programs choose for themselves.
  package static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withLoopback(port: 0, { bind(descriptor, $0, $1) }) == 0 else {
      throw Failure.noBroker("no free port")
    }
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func withLoopback(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
    -> Int32
  {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
