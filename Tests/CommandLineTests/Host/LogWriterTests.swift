import FleetModel
import Foundation
import Logging
import Support
import Synchronization
import Testing

@testable import metafleet

@Suite struct LogWriterTests {
  private final class Output: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    func write(_ more: [UInt8]) { bytes.withLock { $0 += more } }
    var lines: [String] {
      bytes.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map(String.init)
    }
  }

  private static func line(_ message: String) -> LogLine {
    LogLine(level: .warning, message: message, time: Timestamp(milliseconds: 0))
  }

  /// A pipe that is full already and that nobody reads.
  private static func fullPipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let flags = fcntl(ends[1], F_GETFL)
    _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
    let bytes = [UInt8](repeating: 0, count: 4_096)
    while write(ends[1], bytes, bytes.count) > 0 {}
    _ = fcntl(ends[1], F_SETFL, flags)
    return (ends[0], ends[1])
  }

  @Test func `lines are written in order, and the end waits for them`() async throws {
    let output = Output()
    let writer = try LogWriter(LogSettings(LogConfiguration()), write: output.write)
    for number in 0..<100 { writer.take(text: "\(number)") }
    await writer.finish(within: .seconds(60))
    #expect(output.lines == (0..<100).map(String.init))
  }

  @Test
  func `F217 what repeats is summed up at the end at the latest, and problems are remembered as written`()
    async throws
  {
    let output = Output()
    let problems = RecentProblems()
    let writer = try LogWriter(LogSettings(LogConfiguration()), problems: problems, write: output.write)
    let log = Logger(label: "test") { _ in LineLog(LogSettings(LogConfiguration()), writer: writer) }
    for number in 0..<44 { log.error("the broker refused a message", metadata: ["topic": "t\(number)"]) }
    await writer.finish(within: .seconds(60))
    #expect(output.lines.count == 4)
    #expect(output.lines.last?.hasSuffix("topic=t43 (41 more of these in the last minute)") == true)
    #expect(problems.all.count == 4)
  }

  @Test(.timeLimit(.minutes(20)))
  func `F218 a reader that reads nothing holds up neither who logs nor the end`() async throws {
    let pipe = try Self.fullPipe()
    let writer = try LogWriter(LogSettings(LogConfiguration())) { bytes in
      _ = Console.send(bytes, to: pipe.write)
    }
    // More than there is room for anywhere.
    for number in 0..<10_000 { writer.take(text: "\(number) " + String(repeating: "x", count: 100)) }
    // The thread stays stuck, as it does in the daemon; the pipe is left to it.
    await writer.finish(within: .milliseconds(200))
  }

  @Test func `F218 a reader that comes back learns how many lines are missing`() async throws {
    let pipe = try Self.fullPipe()
    let writer = try LogWriter(LogSettings(LogConfiguration())) { bytes in
      _ = Console.send(bytes, to: pipe.write)
    }
    let line = String(repeating: "x", count: 1_000)
    for _ in 0..<2_000 { writer.take(text: line) }
    // The thread may have taken lines before all were there, and tells twice then.
    let (complete, dropped) = try await onThread { () -> (complete: Int, dropped: Int) in
      var (text, bytes): (String, [UInt8]) = ("", [UInt8](repeating: 0, count: 65_536))
      while Self.told(in: text, of: line).reduce(0, +) < 2_000 {
        let count = read(pipe.read, &bytes, bytes.count)
        guard count > 0 else { break }
        text += String(decoding: bytes.prefix(count).filter { $0 != 0 }, as: UTF8.self)
      }
      let told = Self.told(in: text, of: line)
      return (told[0], told[1])
    }
    #expect(complete + dropped == 2_000 && dropped > 0)
    await writer.finish(within: .seconds(60))
    close(pipe.read)
    close(pipe.write)
  }

  @Test func `lines are JSON where that is wanted`() async throws {
    let output = Output()
    var configuration = LogConfiguration()
    configuration.format = .json
    let writer = try LogWriter(LogSettings(configuration), write: output.write)
    writer.take(Self.line("no broker"))
    await writer.finish(within: .seconds(60))
    #expect(output.lines == [#"{"ts_ms":0,"level":"warning","message":"no broker"}"#])
  }

  /// How many whole lines there are, and how many are said to have been dropped.
  private static func told(in text: String, of line: String) -> [Int] {
    let lines = text.split(separator: "\n")
    let dropped = lines.compactMap { $0.firstMatch(of: /warning: ([0-9]+) lines? w\w+ dropped/) }
      .compactMap { Int($0.1) }
    return [lines.count { $0 == line }, dropped.reduce(0, +)]
  }
}
