import Fleet
import FleetModel
import Foundation
import MetaMotion
import Testing

@testable import metafleet

@Suite(.timeLimit(.minutes(20))) struct FirmwareMirrorTests {
  private static let text = """
    {"0.1": {"8": {
      "vanilla": {"1.7.3": {"filename": "firmware.zip", "required-bootloader": "0.5"}},
      "bootloader": {"0.5": {"filename": "bl.zip"}}
    }}}
    """
  private static let index = Array(text.utf8)
  private static let path = "0.1/8/vanilla/1.7.3/firmware.zip"

  /// Fills the mirror with files that all hold `content`.
  private static func fill(
    _ mirror: FirmwareMirror, with content: [UInt8]?
  ) async throws -> FirmwareMirror.Outcome {
    try await mirror.fill(FirmwareCatalogue(index).all, index: index) {
      (path: String) async throws(FirmwareCheckFailure) in
      guard let content else { throw FirmwareCheckFailure("the server has no such file") }
      return content
    }
  }

  @Test func `an index and its files are copied, and found to be what they were`() async throws {
    try await withScratchDirectory { directory in
      let mirror = FirmwareMirror(directory: directory.appending(path: "new").path)
      #expect(try await Self.fill(mirror, with: [1, 2]) == .init(added: 2))
      #expect(try await Self.fill(mirror, with: [1, 2]) == .init(same: 2))
      let verified = try mirror.verify()
      #expect(verified == .init(same: 2))
      let content = try FileContent.read("\(mirror.directory)/\(Self.path)", atMost: 9)
      #expect(content == [1, 2])
    }
  }

  @Test func `F195 a file that has changed at the server is refused, and the old one stays`() async throws {
    try await withScratchDirectory { directory in
      let mirror = FirmwareMirror(directory: directory.path)
      _ = try await Self.fill(mirror, with: [1, 2])
      let outcome = try await Self.fill(mirror, with: [3])
      #expect(outcome.problems.count == 2 && outcome.added == 0)
      #expect(outcome.problems.allSatisfy { $0.contains("is not what it was when it was first seen") })
      let content = try FileContent.read("\(mirror.directory)/\(Self.path)", atMost: 9)
      #expect(content == [1, 2])
      let verified = try mirror.verify()
      #expect(verified.problems == [])
    }
  }

  @Test func `F195 a file that has changed in the mirror, or is gone, is found`() async throws {
    try await withScratchDirectory { directory in
      let mirror = FirmwareMirror(directory: directory.path)
      _ = try await Self.fill(mirror, with: [1, 2])
      try Data([9]).write(to: directory.appending(path: Self.path))
      try FileManager.default.removeItem(at: directory.appending(path: "0.1/8/bootloader"))
      let outcome = try mirror.verify()
      #expect(outcome.same == 0 && outcome.problems.count == 2)
    }
  }

  @Test func `F231 what somebody else has put there stays, and is told`() async throws {
    try await withScratchDirectory { directory in
      let mirror = FirmwareMirror(directory: directory.path)
      let (theirs, index) = (
        directory.appending(path: Self.path), directory.appending(path: FirmwareIndexFetcher.indexName)
      )
      try FileManager.default.createDirectory(
        at: theirs.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([9]).write(to: theirs)
      try Data([8]).write(to: index)
      let failure = await #expect(throws: CommandFailure.self) { try await Self.fill(mirror, with: [1, 2]) }
      #expect(failure?.message.contains("is there already and no mirror's") == true)
      try FileManager.default.removeItem(at: index)
      let outcome = try await Self.fill(mirror, with: [1, 2])
      #expect(outcome.added == 1 && outcome.problems.count == 1)
      #expect(outcome.problems.first?.contains("is there already, is another file, and stays") == true)
      #expect(try Data(contentsOf: theirs) == Data([9]))
      // From now on it is a mirror, whose index is replaced.
      #expect(try await Self.fill(mirror, with: [1, 2]).same == 1)
    }
  }

  @Test func `D14 a web page in the place of a package is not copied, nor trusted from then on`() async throws
  {
    try await withScratchDirectory { directory in
      let mirror = FirmwareMirror(directory: directory.path)
      let outcome = try await Self.fill(mirror, with: Array("<html>".utf8))
      #expect(outcome.added == 0 && outcome.problems.count == 2)
      #expect(outcome.problems.allSatisfy { $0.hasSuffix(": it is a web page and no package") })
      #expect(try await Self.fill(mirror, with: [1, 2]).added == 2)
    }
  }

  @Test func `a file that cannot be had is told, and the others are copied`() async throws {
    try await withScratchDirectory { directory in
      let mirror = FirmwareMirror(directory: directory.path)
      let outcome = try await Self.fill(mirror, with: nil)
      #expect(outcome.added == 0 && outcome.problems.count == 2)
      #expect(outcome.problems.allSatisfy { $0.hasSuffix(": the server has no such file") })
      let verified = try mirror.verify()
      #expect(verified.problems == [])
    }
  }
}
