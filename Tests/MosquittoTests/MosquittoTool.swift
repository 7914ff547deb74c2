import Foundation
import Support

/// One of mosquitto's command line clients, as a witness that is not our code.
final class MosquittoTool {
  private let process = Process()
  private let lines: AsyncStream<String>

  /// Each output line is one element of what `line()` gives.
  init(_ name: String, port: UInt16, _ arguments: [String]) throws {
    let output = Pipe()
    // Into a pipe they write by the block, unless told otherwise.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/stdbuf")
    process.arguments = ["-oL", name, "-h", "127.0.0.1", "-p", "\(port)"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    let splitter = LineSplitter()
    output.fileHandleForReading.readabilityHandler = { file in
      let data = file.availableData
      for line in splitter.lines(data) { continuation.yield(line) }
      if data.isEmpty {
        file.readabilityHandler = nil
        continuation.finish()
      }
    }
    try process.runUnmasked()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// A subscriber that listens already when this returns. It says topic, payload and what `format` adds.
  static func subscriber(
    port: UInt16, to filter: String, format: String = "%t %p", version: String = "5"
  ) async throws -> MosquittoTool {
    let tool = try MosquittoTool(
      "mosquitto_sub", port: port, ["-V", version, "-q", "1", "-d", "-t", filter, "-F", "> \(format)"])
    for await line in tool.lines where line.hasPrefix("Subscribed") { break }
    return tool
  }

  /// Publishes one message and returns when the broker has it.
  static func publish(port: UInt16, _ arguments: String...) async throws {
    let tool = try MosquittoTool("mosquitto_pub", port: port, ["-q", "1"] + arguments)
    for await _ in tool.lines {}
  }

  /// The next message of a subscriber.
  func message() async -> String? {
    for await line in lines where line.hasPrefix("> ") { return String(line.dropFirst(2)) }
    return nil
  }
}

private final class LineSplitter: @unchecked Sendable {
  // Used by one handler that is never called twice at a time.
  private var rest = Data()

  func lines(_ data: Data) -> [String] {
    rest.append(data)
    var lines: [String] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
      rest.removeSubrange(rest.startIndex...end)
    }
    return lines
  }
}
