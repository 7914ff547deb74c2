import Dialects
import Foundation
import Glibc
import Testing

@testable import metafleet

@Suite struct PasswordFileTests {
  @Test func `F254 a password that comes through a pipe is read once and counts for every connection`() throws
  {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    try #require(write(ends[1], "secret\n", 7) == 7)
    close(ends[1])
    let path = "/dev/fd/\(ends[0])"
    let file = try PasswordFile(path)
    // What else is there to be read is no other password.
    var others: [Int32] = [0, 0]
    try #require(pipe(&others) == 0)
    defer { close(others[0]) }
    try #require(write(others[1], "other\n", 6) == 6 && dup2(others[0], ends[0]) == ends[0])
    close(others[1])
    let passwords = try [file.read(), file.read()]
    #expect(passwords == [Array("secret".utf8), Array("secret".utf8)])
    // A reload names it again.
    file.change(to: path)
    #expect(try file.read() == Array("secret".utf8))
    file.change(to: nil)
    #expect(try file.read() == nil)
  }

  @Test func `F254 another file counts from the next connection on`() throws {
    let directory = NSTemporaryDirectory() + "metafleet-password-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let paths = ["one", "two"].map { "\(directory)/\($0)" }
    for path in paths {
      let isMade = FileManager.default.createFile(
        atPath: path, contents: Data(path.utf8), attributes: [.posixPermissions: 0o600])
      #expect(isMade)
    }
    let file = try PasswordFile(paths[0])
    let first = try file.read()
    file.change(to: paths[1])
    #expect(try [first, file.read()] == paths.map { Array($0.utf8) })
    // Emptied, by somebody who is about to write another one.
    try Data().write(to: URL(fileURLWithPath: paths[1]))
    #expect(try file.read() == Array(paths[1].utf8))
    try Data("new".utf8).write(to: URL(fileURLWithPath: paths[1]))
    #expect(try file.read() == Array("new".utf8))
    file.change(to: "\(directory)/three")
    #expect(throws: BrokerFailure.self) { try file.read() }
  }
}
