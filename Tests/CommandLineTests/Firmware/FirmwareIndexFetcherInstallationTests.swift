import BoardKit
import Curl
import EventLoops
import FleetModel
import Foundation
import Support
import Testing

@testable import Fleet
@testable import metafleet

@Suite(.timeLimit(.minutes(20))) struct FirmwareIndexFetcherInstallationTests {
  private static let text = """
    {"0.4": {"5": {"vanilla": {"1.7.2": {"filename": "firmware.zip"}, "1.7.3": {"filename": "firmware.zip"}}}}}
    """
  private static let recipient = FirmwareRecipient(modelNumber: "5", hardwareRevision: "0.4")

  /// A gateway whose index is a directory that holds a package for 1.7.3 alone.
  private static func with(
    _ body: (FirmwareIndexFetcher, FirmwareConfiguration, _ state: URL) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "transfers")
    defer { loop.stop() }
    try await withScratchDirectory { directory in
      let (mirror, state) = (directory.appending(path: "mirror"), directory.appending(path: "state"))
      let folder = mirror.appending(path: "0.4/5/vanilla/1.7.3")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.createDirectory(
        at: state.appending(path: "firmware"), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: mirror.appending(path: "info2.json"))
      try Data(SamplePackage(image: [1, 2, 3, 4]).bytes).write(to: folder.appending(path: "firmware.zip"))
      var configuration = FirmwareConfiguration()
      configuration.index = mirror.path
      try await body(
        FirmwareIndexFetcher(transfers: Transfers(loop: loop), stateDirectory: state.path), configuration,
        state)
    }
  }

  private static func failure(
    _ request: InstallationRequest, _ fetcher: FirmwareIndexFetcher, _ configuration: FirmwareConfiguration
  ) async -> CommandFailure? {
    do throws(CommandFailure) { _ = try await fetcher.installation(request, configuration) } catch {
      return error
    }
    return nil
  }

  @Test func `U10 the newest build for the board comes from the mirror, checked`() async throws {
    try await Self.with { fetcher, configuration, _ in
      let installation = try await fetcher.installation(
        InstallationRequest(recipient: Self.recipient), configuration)
      #expect(installation.version == "1.7.3")
      let board = BootloaderDescription(
        serialNumber: "1", modelNumber: "5", hardwareRevision: "0.4", version: "0.3.3")
      #expect(try installation.images(for: board).map(\.size) == [4])
    }
  }

  @Test func `D14 a file that is missing fails the update, and one that changed meanwhile is refused`()
    async throws
  {
    try await Self.with { fetcher, configuration, _ in
      var request = InstallationRequest(recipient: Self.recipient, version: "1.7.2")
      #expect(await Self.failure(request, fetcher, configuration)?.code == .internal)
      (request.version, request.sum) = ("1.7.3", String(repeating: "0", count: 64))
      #expect(await Self.failure(request, fetcher, configuration)?.code == .invalid)
      request.version = "1.7.9"
      #expect(await Self.failure(request, fetcher, configuration)?.code == .invalid)
    }
  }

  @Test func `D13 a file of one's own lies in the gateway's directory, and is looked through, too`()
    async throws
  {
    try await Self.with { fetcher, configuration, state in
      let place = state.appending(path: "firmware/own.zip")
      var request = InstallationRequest(recipient: Self.recipient, version: "9.0", file: "own.zip")
      #expect(await Self.failure(request, fetcher, configuration)?.code == .invalid)
      try Data([1, 2, 3]).write(to: place)
      #expect(
        await Self.failure(request, fetcher, configuration)?.message.hasPrefix("own.zip cannot be installed")
          == true)
      try Data(SamplePackage(image: [1, 2, 3, 4]).bytes).write(to: place)
      #expect(try await fetcher.installation(request, configuration).version == "9.0")
      request.version = nil
      #expect(await Self.failure(request, fetcher, configuration)?.code == .invalid)
    }
  }
}
