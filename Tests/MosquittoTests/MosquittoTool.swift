import Foundation
import Support

/// One of mosquitto's command line clients, as a witness that is not our code.
final class MosquittoTool: Sendable {
  private let shell: LifelineShell
  private let lines: AsyncStream<String>

  /// `script` runs the tool, which it finds with its arguments in `$@`. Into a pipe the tools would write by the
  /// block, unless told otherwise.
  private init(_ script: String, _ name: String, port: UInt16, _ arguments: [String]) throws {
    let shell = try LifelineShell(
      script, ["stdbuf", "-oL", name, "-h", "127.0.0.1", "-p", "\(port)"] + arguments)
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.shell = shell
    self.lines = lines
    // Reading blocks; it ends with the shell.
    Thread.detachNewThread {
      while let line = shell.line() { continuation.yield(line) }
      continuation.finish()
    }
  }

  deinit { shell.end() }

  /// A subscriber that listens already when this returns. It says topic, payload and what `format` adds.
  static func subscriber(
    port: UInt16, to filter: String, format: String = "%t %p", version: String = "5"
  ) async throws -> MosquittoTool {
    let tool = try MosquittoTool(
      "\"$@\" < /dev/null & read -r _; kill $!; wait", "mosquitto_sub", port: port,
      ["-V", version, "-q", "1", "-d", "-t", filter, "-F", "> \(format)"])
    for await line in tool.lines where line.hasPrefix("Subscribed") { break }
    return tool
  }

  /// Publishes one message and returns when the broker has it.
  static func publish(port: UInt16, _ arguments: String...) async throws {
    let tool = try MosquittoTool(
      "exec \"$@\" < /dev/null", "mosquitto_pub", port: port, ["-q", "1"] + arguments)
    for await _ in tool.lines {}
  }

  /// The next message of a subscriber.
  func message() async -> String? {
    for await line in lines where line.hasPrefix("> ") { return String(line.dropFirst(2)) }
    return nil
  }
}
