import Fleet
import FleetModel
import Foundation
import MetaMotion
import Support
import Testing

@testable import metafleet

@Suite(.timeLimit(.minutes(20))) struct FirmwareFilesTests {
  private static let path = "0.4/5/vanilla/1.7.3/firmware.zip"
  private static let (first, second) = (
    SamplePackage(image: [1, 2, 3, 4]).bytes, SamplePackage(image: [5, 6, 7, 8]).bytes
  )

  /// Fetches `content`; nil: nobody may be asked.
  private static func image(_ files: FirmwareFiles, fetching content: [UInt8]?) async throws -> [UInt8] {
    try await files.package(path) { (_: String) async throws(FirmwareCheckFailure) in
      guard let content else { throw FirmwareCheckFailure("nobody may be asked") }
      return content
    }.image.bytes
  }

  @Test func `U10 what is there as it was first seen is not fetched again`() async throws {
    try await withScratchDirectory { directory in
      let files = FirmwareFiles(directory: directory.appending(path: "new").path)
      let failure = await #expect(throws: CommandFailure.self) {
        try await Self.image(files, fetching: nil)
      }
      #expect(failure?.code == .internal)
      let image = try await Self.image(files, fetching: Self.first)
      #expect(image == [1, 2, 3, 4])
      #expect(try await Self.image(files, fetching: nil) == [1, 2, 3, 4])
    }
  }

  @Test
  func `D14 a package that has changed at the server is refused, and one that was spoilt here is fetched`()
    async throws
  {
    try await withScratchDirectory { directory in
      let files = FirmwareFiles(directory: directory.path)
      _ = try await Self.image(files, fetching: Self.first)
      try Data([9]).write(to: directory.appending(path: Self.path))
      let failure = await #expect(throws: CommandFailure.self) {
        try await Self.image(files, fetching: Self.second)
      }
      #expect(failure?.code == .invalid && failure?.message.contains("is not what it was") == true)
      #expect(try await Self.image(files, fetching: Self.first) == [1, 2, 3, 4])
      #expect(try await Self.image(files, fetching: nil) == [1, 2, 3, 4])
    }
  }

  @Test func `D14 a page that comes instead of a package is neither kept nor trusted`() async throws {
    try await withScratchDirectory { directory in
      let files = FirmwareFiles(directory: directory.path)
      let failure = await #expect(throws: CommandFailure.self) {
        try await Self.image(files, fetching: Array("<html>Log in</html>".utf8))
      }
      #expect(
        failure?.code == .invalid && failure?.message.hasSuffix("it is a web page and no package") == true)
      let image = try await Self.image(files, fetching: Self.first)
      #expect(image == [1, 2, 3, 4])
    }
  }

  @Test func `D14 only what a lock file lists, here or in the mirror, where that is demanded`() async throws {
    try await withScratchDirectory { directory in
      let mirror = directory.appending(path: "mirror").path
      var files = FirmwareFiles(directory: directory.appending(path: "own").path, isListedOnly: true)
      let failure = await #expect(throws: CommandFailure.self) {
        try await Self.image(files, fetching: Self.first)
      }
      #expect(failure?.code == .invalid && failure?.message.contains("firmware.trust is lock") == true)
      _ = try await Self.image(FirmwareFiles(directory: mirror), fetching: Self.first)
      files.mirror = mirror
      #expect(try await Self.image(files, fetching: Self.first) == [1, 2, 3, 4])
      try Data(Self.second).write(to: URL(fileURLWithPath: "\(files.directory)/\(Self.path)"))
      await #expect(throws: CommandFailure.self) { try await Self.image(files, fetching: Self.second) }
    }
  }

  @Test func `D14 a directory that cannot be written fails the update`() async throws {
    try await withScratchDirectory { directory in
      // A file stands where the directory has to be; that holds for root, too.
      let place = directory.appending(path: "file")
      try Data().write(to: place)
      let failure = await #expect(throws: CommandFailure.self) {
        try await Self.image(FirmwareFiles(directory: place.path), fetching: Self.first)
      }
      #expect(failure?.code == .internal)
    }
  }
}
