import Foundation
import Support
import Testing

@Suite struct NamedEditTests {
  private let edit = NamedEdit(
    """
    Row: F05
    Protection: b is there
    Fails: ATests.BTests/c

    File: a.swift
    Text:
    |  b: 1
    |
    Replacement:
    |  b: 2

    File: a.swift
    Text:
    |c
    Replacement:

    """)

  @Test func `an edit says what stands instead of what`() {
    #expect(edit.headers == ["Row": "F05", "Protection": "b is there", "Fails": "ATests.BTests/c"])
    #expect(edit.groups.map(\.text) == [["  b: 1", ""], ["c"]])
    #expect(edit.groups.map(\.replacement) == [["  b: 2"], []])
  }

  @Test func `its text stands exactly once, in whole lines`() {
    #expect(edit.trouble { _ in "a\n  b: 1\n\nc\n" }.isEmpty)
    #expect(edit.trouble { _ in "a\n  b: 10\n\nc\n" }.count == 1)
    #expect(edit.trouble { _ in "  b: 1\n\nc\nc\n" } == ["stands 2 times in a.swift: c"])
    #expect(edit.trouble { _ in "" }.count == 2)
  }

  @Test func `what is no edit is noticed`() {
    #expect(!NamedEdit("Row: F05\nProtection: x\nFails: y\n").trouble { _ in "" }.isEmpty)
    let stray = "Row: F05\nProtection: x\nFails: y\n\nFile: a\nText:\nb\n|c\nReplacement:\n"
    #expect(NamedEdit(stray).trouble { _ in "c\n" } == ["this line is none of an edit: b"])
    #expect(NamedEdit("Fails: y\nFile: a\nText:\n|c\nReplacement:\n|c\n").trouble { _ in "c\n" }.count == 3)
  }

  /// What `run` uses has been written once more, in Python: both must mean the same.
  @Test func `the helper makes an edit and undoes it`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "metafleet-edit-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let (file, kept) = (directory.appending(path: "a.swift"), "  b: 1\n\nc\nd\n")
    let text = "Row: F05\nProtection: x\nFails: y\n\nFile: a.swift\nText:\n|\n|c\nReplacement:\n|e\n"
    try kept.write(to: file, atomically: true, encoding: .utf8)
    try text.write(to: directory.appending(path: "F05-x.edit"), atomically: true, encoding: .utf8)
    func helper(_ words: String...) throws -> Int32 {
      let program = Repository.root.appending(path: "Tests/Mutations/apply.py").path(percentEncoded: false)
      let place = directory.path(percentEncoded: false)
      return try SpawnedProgram.run("/usr/bin/env", ["-C", place, "python3", program] + words).status
    }
    #expect(try helper("apply", "F05-x.edit") == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == "  b: 1\ne\nd\n")
    #expect(try helper("apply", "F05-x.edit") == 1, "one at a time")
    #expect(try helper("undo") == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == kept)
    try (kept + kept).write(to: file, atomically: true, encoding: .utf8)
    #expect(try helper("check", "F05-x.edit") == 1)
  }

  @Test func `the helper finds that every mutation can still be made`() throws {
    let run = Repository.root.appending(path: "Tests/Mutations/run").path(percentEncoded: false)
    let check = try SpawnedProgram.run(run, ["--check"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }
}
