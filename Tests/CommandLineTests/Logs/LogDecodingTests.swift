import Fleet
import FleetModel
import Foundation
import Storage
import Testing

@testable import metafleet

@Suite struct LogDecodingTests {
  @Test func `a session is read in whole, in order and in pieces`() async throws {
    try await withScratchDirectory { directory in
      let session = try await LogExample.fill(directory.path, entries: 20_000)
      let reader = try #require(try ArchiveReader(directory: directory.path))
      let decoding = LogDecoding(reader: reader, format: LogExample.format)
      var (samples, entries, calls) = (0, 0, 0)
      var last = Timestamp(nanoseconds: .min)
      let stored = try #require(try reader.sessions().first)
      #expect(stored.id == session.id)
      let isWhole = try decoding.read(stored) { batches, count in
        samples += batches.reduce(0) { $0 + $1.count }
        entries += count
        calls += 1
        for batch in batches where batch.stream == "switch" {
          #expect(batch.times.allSatisfy { $0 > last })
          last = batch.times.last ?? last
        }
      }
      #expect(isWhole)
      #expect(samples == 20_000 && entries == 20_000)
      #expect(calls > 1)
    }
  }

  @Test func `a session whose entries are gone is told to be so`() async throws {
    try await withScratchDirectory { directory in
      _ = try await LogExample.fill(directory.path, entries: 10)
      let reader = try #require(try ArchiveReader(directory: directory.path))
      var stored = try #require(try reader.sessions().first)
      stored.stored = 11
      #expect(try !LogDecoding(reader: reader, format: LogExample.format).read(stored) { _, _ in })
    }
  }

  @Test func `no directory, no archive`() throws {
    #expect(try ArchiveReader(directory: "/nonexistent") == nil)
  }
}
