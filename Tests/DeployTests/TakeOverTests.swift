import Foundation
import Support
import Testing

/// What the Debian package does about an installation by hand.
@Suite final class TakeOverTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "metafleet-take-over-\(UUID())")

  deinit { try? FileManager.default.removeItem(at: root) }

  private func write(_ path: String, _ text: String) throws {
    let place = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: place)
  }

  private func text(_ path: String) -> String? {
    try? String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private func isThere(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: root.appending(path: path).path)) != nil
  }

  private func takeOver() throws -> SpawnedProgram.Ending {
    let script = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "deploy/debian/take-over")
    return try SpawnedProgram.run(
      "/bin/sh", [script.path, root.path, "\(getuid()):\(getgid())"], environment: ["PATH": "/usr/bin:/bin"])
  }

  @Test func `F241 state that systemd kept for a user of the moment is where the package's service has it`()
    throws
  {
    try write("var/lib/private/metafleet/metafleet.sqlite", "kept")
    try FileManager.default.createSymbolicLink(
      atPath: root.appending(path: "var/lib/metafleet").path, withDestinationPath: "private/metafleet")
    let ending = try takeOver()
    #expect(ending.status == 0 && ending.errors.isEmpty)
    #expect(text("var/lib/metafleet/metafleet.sqlite") == "kept")
    #expect(!isThere("var/lib/private/metafleet"))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: root.appending(path: "var/lib/metafleet").path)
    #expect(attributes[.type] as? FileAttributeType == .typeDirectory)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `F241 where both hold state, neither is touched, and that is said`() throws {
    try write("var/lib/private/metafleet/metafleet.sqlite", "by hand")
    try write("var/lib/metafleet/metafleet.sqlite", "of the package")
    let ending = try takeOver()
    #expect(ending.status == 0 && ending.errors.split(separator: "\n").count == 1)
    #expect(text("var/lib/metafleet/metafleet.sqlite") == "of the package")
    #expect(text("var/lib/private/metafleet/metafleet.sqlite") == "by hand")
  }

  @Test func `F241 units made by hand hide the package's no longer; those of others stay`() throws {
    let units = "etc/systemd/system"
    try write("\(units)/metafleet.service", "[Service]\nExecStart=/usr/local/bin/metafleet run --config x\n")
    try write("\(units)/metafleet-recovery.service", "[Service]\nExecStart=/opt/other recovery-helper\n")
    try write("\(units)/multi-user.target.wants/metafleet.service", "")
    let ending = try takeOver()
    #expect(ending.status == 0 && ending.output.contains("metafleet.service.by-hand"))
    #expect(!isThere("\(units)/metafleet.service") && isThere("\(units)/metafleet.service.by-hand"))
    #expect(!isThere("\(units)/multi-user.target.wants/metafleet.service"))
    #expect(isThere("\(units)/metafleet-recovery.service"))
  }

  @Test func `F241 a second time, and where nothing was, there is nothing to do`() throws {
    try write("var/lib/metafleet/metafleet.sqlite", "kept")
    for _ in 1...2 {
      let ending = try takeOver()
      #expect(ending.status == 0 && ending.output.isEmpty && ending.errors.isEmpty)
      #expect(text("var/lib/metafleet/metafleet.sqlite") == "kept")
    }
  }
}
