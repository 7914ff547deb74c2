import Dialects
import Fleet
import FleetModel
import Foundation
import Storage
import Testing

@testable import metafleet

@Suite struct LogExportTests {
  private static func export(
    _ entries: Int, only names: [String] = [], isShort: Bool = false
  ) async throws -> (text: String, largest: Int, progress: Int, missing: [ULID]) {
    try await withScratchDirectory { directory in
      _ = try await LogExample.fill(directory.path, entries: entries)
      let reader = try #require(try ArchiveReader(directory: directory.path))
      var sessions = try reader.sessions()
      if isShort { sessions[0].stored += 1 }
      let export = try LogExport(
        sessions, only: names, decoding: LogDecoding(reader: reader, format: LogExample.format), format: .csv)
      var (bytes, largest, progress): ([UInt8], Int, Int) = ([], 0, 0)
      let outcome = try export.write(sessions) {
        bytes += $0
        largest = max(largest, $0.count)
      } progress: {
        progress += $0
      }
      #expect(outcome.rows == bytes.count { $0 == UInt8(ascii: "\n") } - 2)
      return (String(decoding: bytes, as: UTF8.self), largest, progress, outcome.missing)
    }
  }

  @Test func `all samples are written, in pieces that do not grow with the log`() async throws {
    let result = try await Self.export(100_000)
    let lines = result.text.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count == 100_003)
    #expect(lines.suffix(2) == ["# rows: 100000", ""])
    #expect(lines[0].hasSuffix("temperature_c,pressed"))
    let columns = lines.dropFirst().dropLast(2).map { (line: Substring) -> Int in
      line.split(separator: ",", omittingEmptySubsequences: false).count
    }
    #expect(Set(columns) == [13])
    #expect(result.progress == 100_000)
    #expect(result.missing.isEmpty)
    // What is read at once is on top of what is written at once.
    #expect(result.largest < 5 * LogExport.chunk)
    #expect(result.text.utf8.count > 10 * LogExport.chunk)
  }

  @Test func `only the streams that were asked for`() async throws {
    let result = try await Self.export(400, only: ["switch"])
    #expect(result.text.split(separator: "\r\n").count == 102)
    #expect(!result.text.contains("temperature"))
    let failure = await #expect(throws: CommandLineFailure.self) {
      _ = try await Self.export(4, only: ["pressure"])
    }
    #expect(failure?.message == "there is no recorded stream \"pressure\"; there are switch, temperature-die")
  }

  @Test func `a session whose entries are gone is named`() async throws {
    #expect(try await Self.export(4, isShort: true).missing.count == 1)
  }
}
