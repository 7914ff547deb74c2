import FleetModel
import Foundation
import Support
import Testing

@testable import metafleet

/// `metafleet firmware`, the built program.
@Suite(.timeLimit(.minutes(20))) struct FirmwareCommandTests {
  private static let text = """
    {"r0.1": {"8": {"vanilla": {"1.7.3": {"filename": "firmware.zip", "required-bootloader": "0.9"}},
      "bootloader": {"0.5": {"filename": "bl.zip"}}}},
     "0.4": {"5": {"vanilla": {"1.5.0": {"filename": "firmware.zip"}}}}}
    """

  /// A directory of `text` as an index, without any of its files.
  private static func with(_ text: String, _ body: (_ index: String, URL) async throws -> Void) async throws {
    try await withScratchDirectory { directory in
      try Data(text.utf8).write(to: directory.appending(path: "info2.json"))
      try await body(directory.path, directory)
    }
  }

  @Test func `builds are listed, and what cannot be installed is named`() async throws {
    try await Self.with(Self.text) { index, _ in
      let ending = try await BuiltProgram.run(["firmware", "list", "--index", index, "--hardware", "0.1"])
      #expect(ending.status == 0)
      #expect(ending.output.contains("1.7.3") && !ending.output.contains("1.5.0"))
      #expect(ending.errors.contains("requires bootloader 0.9, and the newest listed is 0.5"))
      let json = try await BuiltProgram.run(["firmware", "list", "--index", index, "--model", "5", "--json"])
      let object =
        #"{"hardware":"0.4","model":"5","flavour":"vanilla","version":"1.5.0","file":"0.4/5/vanilla/1.5.0/firmware.zip"}"#
      #expect(json.output == object + "\n")
    }
  }

  @Test func `a package is looked through, and what is none ends with 1`() async throws {
    try await Self.with(Self.text) { _, directory in
      let file = directory.appending(path: "firmware.zip")
      let missing = try await BuiltProgram.run(["firmware", "inspect", file.path])
      #expect(missing.status == 73)
      try Data(SamplePackage(image: [1, 2, 3, 4]).bytes).write(to: file)
      let ending = try await BuiltProgram.run(["firmware", "inspect", file.path])
      #expect(ending.status == 0 && ending.output.hasPrefix("replaces: firmware\nimage: 4 bytes\n"))
      let json = try await BuiltProgram.run(["firmware", "inspect", file.path, "--json"])
      #expect(json.status == 0 && json.output.hasPrefix(#"{"replaces":"firmware","bytes":4,"#))
      try Data("<html>".utf8).write(to: file)
      let page = try await BuiltProgram.run(["firmware", "inspect", file.path])
      #expect(page.status == 1 && page.errors.contains("it is a web page and no package"))
    }
  }

  @Test func `what is no index ends with 69 and says why`() async throws {
    try await Self.with("<html>") { index, _ in
      let ending = try await BuiltProgram.run(["firmware", "list", "--index", index])
      #expect(ending.status == 69 && ending.errors.contains("it is a web page and no index"))
    }
  }

  @Test func `check prints a sentence for a board, and its replies as they are on request`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let data = #"{"installed_version":"1.7.2","latest_version":"1.7.3"}"#
      for (options, output) in [
        ([], "Pump 3 has firmware 1.7.2, and 1.7.3 is the newest for it.\n"), (["--json"], data),
      ] {
        let (ending, request) = try await rig.run(
          ["firmware", "check", "pump", "--refresh"] + options,
          answering: [
            ["stage": "accepted", "board": "e5a1c2d3f4b6", "gw": "g1"],
            [
              "stage": "done", "board": "e5a1c2d3f4b6",
              "data": ["installed_version": "1.7.2", "latest_version": "1.7.3"],
            ],
          ])
        #expect(ending.status == 0 && request["args"] == ["refresh": true])
        #expect(options.isEmpty ? ending.output == output : ending.output.contains(output))
      }
    }
  }

  @Test func `check prints a sentence for each member of a group, and why a job was refused`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let (ending, _) = try await rig.run(
        ["firmware", "check"],
        answering: [
          ["stage": "accepted", "group": "all", "data": ["total": 1], "gw": "g1"],
          [
            "stage": "failed", "group": "all", "gw": "g1", "code": "no",
            "data": [
              "total": 1, "failed": 1,
              "not_done": [["board": "e5a1c2d3f4b6", "stage": "failed", "code": "unreachable"]],
            ],
          ],
        ])
      #expect(ending.status == 1 && ending.output == "Pump 3 (e5a1c2d3f4b6) failed: unreachable\n")
      let (refused, _) = try await rig.run(
        ["firmware", "check"],
        answering: [["stage": "failed", "group": "all", "gw": "g1", "code": "denied", "message": "not here"]])
      #expect(refused.status == 77 && refused.output.contains("denied: not here"))
    }
  }

  @Test func `a mirror is filled, and verified`() async throws {
    try await Self.with(Self.text) { index, directory in
      let file = directory.appending(path: "0.4/5/vanilla/1.5.0/firmware.zip")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: file)
      let mirror = directory.appending(path: "mirror").path
      let filled = try await BuiltProgram.run(
        ["firmware", "mirror", "--index", index, "--model", "5", "--to", mirror])
      #expect(filled.status == 0 && filled.errors.contains("1 new"))
      let verified = try await BuiltProgram.run(["firmware", "verify", mirror, "--json"])
      #expect(verified.status == 0 && verified.output.contains(#""same":1"#))
    }
  }
}
