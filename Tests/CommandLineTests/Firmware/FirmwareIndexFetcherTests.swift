import Curl
import EventLoops
import Fleet
import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite(.timeLimit(.minutes(20))) struct FirmwareIndexFetcherTests {
  private static let text = #"{"0.1": {"8": {"vanilla": {"9.0.0": {"filename": "firmware.zip"}}}}}"#
  private static let now = Timestamp(milliseconds: 1_763_671_234_000)

  /// A mirror with `text` as its index, and a fetcher whose gateway has a state directory of its own.
  private static func with(
    _ text: String?,
    _ body: (FirmwareIndexFetcher, FirmwareConfiguration, _ state: URL) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "transfers")
    defer { loop.stop() }
    try await withScratchDirectory { directory in
      let (mirror, state) = (directory.appending(path: "mirror"), directory.appending(path: "state"))
      try FileManager.default.createDirectory(at: mirror, withIntermediateDirectories: true)
      if let text { try Data(text.utf8).write(to: mirror.appending(path: "info2.json")) }
      var configuration = FirmwareConfiguration()
      configuration.index = mirror.path
      try await body(
        FirmwareIndexFetcher(transfers: Transfers(loop: loop), stateDirectory: state.path), configuration,
        state)
    }
  }

  private func failure(
    _ fetcher: FirmwareIndexFetcher, _ configuration: FirmwareConfiguration
  ) async -> String {
    do throws(FirmwareCheckFailure) {
      _ = try await fetcher.fetch(configuration, at: Self.now)
      return "none"
    } catch {
      return error.description
    }
  }

  @Test func `an index of a directory is read, and kept for the next start`() async throws {
    try await Self.with(Self.text) { fetcher, configuration, _ in
      #expect(await fetcher.kept(configuration) == nil)
      let fetched = try await fetcher.fetch(configuration, at: Self.now)
      #expect(
        fetched.origin == .init(source: configuration.index, fetched: Self.now) && fetched.trouble == nil)
      #expect(await fetcher.kept(configuration)?.origin == fetched.origin)
    }
  }

  @Test func `what was kept of another index is not used`() async throws {
    try await Self.with(Self.text) { fetcher, configuration, _ in
      _ = try await fetcher.fetch(configuration, at: Self.now)
      var other = configuration
      other.index = "https://example.org/info2.json"
      #expect(await fetcher.kept(other) == nil)
    }
  }

  @Test(arguments: [
    ("<html>", "it is a web page and no index"), ("{\"0.1\": {", "it ends in the middle"),
    ("{\"0.1\": 5}", "0.1 has to be an object"),
  ])
  func `F195 what is no index is told, and the kept one stays`(text: String, words: String) async throws {
    try await Self.with(Self.text) { fetcher, configuration, _ in
      _ = try await fetcher.fetch(configuration, at: Self.now)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(configuration.index)/info2.json"))
      #expect(await failure(fetcher, configuration).contains(words))
      #expect(await fetcher.kept(configuration)?.origin.fetched == Self.now)
    }
  }

  @Test func `a directory without an index is told with its path`() async throws {
    try await Self.with(nil) { fetcher, configuration, _ in
      #expect(await failure(fetcher, configuration).contains("\(configuration.index)/info2.json"))
    }
  }

  @Test func `F195 an index that cannot be kept is used all the same, and the trouble told`() async throws {
    try await Self.with(Self.text) { fetcher, configuration, state in
      // A file stands where the state directory has to be; that holds for root, too.
      try Data().write(to: state)
      let fetched = try await fetcher.fetch(configuration, at: Self.now)
      #expect(fetched.trouble?.contains("cannot be kept for the next start") == true)
      #expect(await fetcher.kept(configuration) == nil)
    }
  }

  @Test func `an address of anything but https is refused`() async throws {
    try await Self.with(nil) { fetcher, configuration, _ in
      var other = configuration
      other.index = "http://example.org/info2.json"
      #expect(await failure(fetcher, other).contains("is no address of https"))
    }
  }
}
