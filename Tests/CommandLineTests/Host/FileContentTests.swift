import Foundation
import Testing

@testable import metafleet

@Suite struct FileContentTests {
  @Test func `all bytes of a file`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "content-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(try FileContent.read(path, atMost: 200_000) == bytes)
    #expect(throws: FileContent.Failure.tooLarge(limit: 199_999)) {
      try FileContent.read(path, atMost: 199_999)
    }
  }

  @Test(arguments: [("/nowhere/file", "No such file or directory"), ("/tmp", "Is a directory")])
  func `what cannot be read is named with the kernel's reason`(path: String, reason: String) {
    do throws(FileContent.Failure) {
      _ = try FileContent.read(path, atMost: 10)
      Issue.record("it was read")
    } catch {
      #expect(error.text(path) == "\(path) cannot be read: \(reason)")
      #expect(error.isMissing == (path == "/nowhere/file"))
    }
  }

  @Test func `a file that never ends is too large`() {
    #expect(throws: FileContent.Failure.tooLarge(limit: 2_000_000)) {
      try FileContent.read("/dev/zero", atMost: 2_000_000)
    }
    #expect(
      FileContent.Failure.tooLarge(limit: 2_000_000).text("x") == "x cannot be read: it is larger than 2MB")
  }
}
