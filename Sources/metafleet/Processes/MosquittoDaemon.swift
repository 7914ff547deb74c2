import EventLoops
import Glibc

/// A broker of our own on this machine, for the demo.
struct MosquittoDaemon: Temporary {
  let port: Int
  private let daemon: ChildProcess
  private let directory: ScratchDirectory

  /// The port of MQTT.
  private static let usualPort = 1883
  private static let attempts = 100
  private static let mostFailures = 10

  /// Starts mosquitto on 127.0.0.1 and waits until it listens: on `port` or not at all, without one on the first
  /// free port from 1883 up.
  static func start(port: Int?, on loop: EventLoop) async throws(CommandLineFailure) -> MosquittoDaemon {
    _ = try ProgramPath.find("mosquitto")
    let directory = try await ScratchDirectory.make("metafleet-broker", on: loop)
    return try await directory.orRemoved { () async throws(CommandLineFailure) in
      var failures = 0
      let candidates = port.map { $0...$0 } ?? usualPort...(usualPort + attempts)
      for candidate in candidates where LocalPort.isFree(candidate) {
        let file = try directory.write(configuration(port: candidate), to: "mosquitto.conf")
        let daemon = try await ChildProcess.start("mosquitto", ["-c", file], on: loop)
        while let line = await daemon.nextLine() {
          if line.hasSuffix(" running") {
            return MosquittoDaemon(port: candidate, daemon: daemon, directory: directory)
          }
        }
        // Somebody took the port first, or mosquitto cannot run here at all: then the next ports do not help either.
        let words = await daemon.lastOutputLine
        if port == nil, words.contains("Address already in use") { continue }
        failures += 1
        guard failures < mostFailures, port == nil else {
          throw CommandLineFailure(.unavailable, "mosquitto does not start: \(words)")
        }
      }
      throw CommandLineFailure(
        .unavailable,
        port.map { "port \($0) is in use; choose another one with --port, or leave it out" }
          ?? "no port from \(usualPort) to \(usualPort + attempts) is free")
    }
  }

  /// Ends the broker and removes its files.
  func stop() async {
    await daemon.stop()
    await directory.stop()
  }

  /// Nothing is kept on disk; a slow dashboard may lag far behind before it loses something.
  private static func configuration(port: Int) -> String {
    """
    listener \(port) 127.0.0.1
    allow_anonymous true
    persistence false
    max_queued_messages 100000
    log_dest stderr
    log_type error
    log_type warning
    log_type notice
    log_type information
    connection_messages false
    user root

    """
  }
}

/// Ports of this machine.
enum LocalPort {
  /// So many ports are looked at.
  private static let attempts = 100

  /// The first of 127.0.0.1 on which nobody listens, from `port` up; nil where all of a hundred are taken.
  static func firstFree(from port: Int) -> Int? { (port...port + attempts).first(where: isFree) }

  /// Whether nobody listens on a port of 127.0.0.1.
  static func isFree(_ port: Int) -> Bool {
    guard let number = UInt16(exactly: port) else { return false }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // As daemons do it: connections of an earlier one that still linger do not count.
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
