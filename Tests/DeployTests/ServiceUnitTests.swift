import FleetModel
import Foundation
import Support
import Testing

@testable import metafleet

/// What the unit of the service promises.
@Suite struct ServiceUnitTests {
  private let lines: [String]

  init() throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    lines = try String(contentsOf: root.appending(path: "deploy/systemd/metafleet.service"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  private func value(of key: String) throws -> String {
    let line = try #require(lines.first { $0.hasPrefix(key + "=") }, "\(key) is not there")
    return String(line.dropFirst(key.count + 1))
  }

  @Test func `F100 it is started again however often it fails, also where its directory cannot be had`()
    throws
  {
    #expect(try value(of: "Restart") == "on-failure")
    #expect(try value(of: "StartLimitIntervalSec") == "0")
    let final = try value(of: "RestartPreventExitStatus").split(separator: " ").compactMap { Int32($0) }
    #expect(final == [ExitStatus.usage.rawValue, ExitStatus.configuration.rawValue])
  }

  @Test
  func
    `F98 a gateway that hangs is ended and back within 90 s, and one that leaks ends before the computer does`()
    throws
  {
    let limits = try ["WatchdogSec", "TimeoutAbortSec", "RestartSec"].map { try #require(Int(value(of: $0))) }
    #expect(limits.reduce(0, +) <= 90)
    // systemd takes word of the process alone only where nothing else is said.
    #expect(try value(of: "Type") == "notify")
    #expect(!lines.contains { $0.hasPrefix("NotifyAccess=") })
    #expect(try value(of: "MemoryMax") == "512M")
  }

  @Test(arguments: [
    ("core-dump", "dumped", "SEGV"), ("exit-code", "exited", "70"), ("success", "exited", "0"),
  ])
  func `F102 what it writes when it ended is what the next start reads`(
    result: String, code: String, status: String
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "metafleet-unit-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    // As systemd reads it: the program, then words; %% and $$ stand for % and $.
    let command = try value(of: "ExecStopPost")
    #expect(command.hasPrefix("-/bin/sh -c '") && command.hasSuffix("'"))
    let script = command.dropFirst("-/bin/sh -c '".count).dropLast()
      .replacing("$$", with: "$").replacing("%%", with: "%")
    #expect(!script.contains("'"))
    let ending = try SpawnedProgram.run(
      "/bin/sh", ["-c", String(script)],
      environment: [
        "PATH": "/usr/bin:/bin", "STATE_DIRECTORY": directory.path, "SERVICE_RESULT": result,
        "EXIT_CODE": code, "EXIT_STATUS": status,
      ])
    #expect(ending.status == 0 && ending.errors.isEmpty)
    let text = try String(contentsOf: directory.appending(path: "last-result"), encoding: .utf8)
    let read = try #require(ServiceResult(text))
    #expect(read.result == result && read.code == code && read.status == status)
    #expect(read.ended?.isPlausible == true)
  }
}
