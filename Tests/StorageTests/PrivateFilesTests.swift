import Foundation
import Testing

@testable import Storage

/// Who may look at what a gateway keeps.
@Suite struct PrivateFilesTests {
  /// The modes of the directory, as `.`, and of all that lies in it, by name.
  private static func modes(in directory: StateDirectory) throws -> [String: Int] {
    var modes: [String: Int] = [:]
    for name in directory.contents.union(["."]) {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/\(name)")
      modes[name] = attributes[.posixPermissions] as? Int
    }
    return modes
  }

  private static func open(up directory: StateDirectory) throws {
    for name in directory.contents.union(["."]) {
      let mode = name == "." || name == "firmware" ? 0o755 : 0o644
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: "\(directory.path)/\(name)")
    }
  }

  @Test func `all that is new is for its owner alone`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    _ = try await store.outbox.append([.event("a")])
    #expect(
      try Self.modes(in: directory) == [
        ".": 0o700, "lock": 0o600, "metafleet.sqlite": 0o600, "metafleet.sqlite-shm": 0o600,
        "metafleet.sqlite-wal": 0o600,
      ])
    withExtendedLifetime(store) {}
  }

  @Test func `what was open before is closed, whatever of it is the gateway's`() async throws {
    let directory = StateDirectory()
    let first = try directory.open()
    _ = try await first.outbox.append([.event("a")])
    let crashed = try directory.crashed()
    withExtendedLifetime(first) {}
    for name in ["run.json", "last-result", "metafleet.sqlite.damaged-1"] {
      try Data().write(to: URL(filePath: "\(crashed.path)/\(name)"))
    }
    try FileManager.default.createDirectory(
      atPath: "\(crashed.path)/firmware", withIntermediateDirectories: false)
    try Self.open(up: crashed)
    let store = try crashed.open()
    for (name, mode) in try Self.modes(in: crashed) {
      #expect(mode == (name == "." || name == "firmware" ? 0o700 : 0o600), "\(name)")
    }
    withExtendedLifetime(store) {}
  }

  @Test func `in a shared place nothing changes but what is ours`() throws {
    let directory = StateDirectory()
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
    try Data().write(to: URL(filePath: "\(directory.path)/notes.txt"))
    try Data().write(to: URL(filePath: "\(directory.path)/metafleet.sqlite"))
    try Self.open(up: directory)
    let store = try directory.open()
    let modes = try Self.modes(in: directory)
    #expect(modes["."] == 0o755 && modes["notes.txt"] == 0o644)
    #expect(modes["metafleet.sqlite"] == 0o600 && modes["lock"] == 0o600)
    withExtendedLifetime(store) {}
  }
}
