import Foundation
import Support
import Testing

@testable import metafleet

@Suite struct OutputFailureTests {
  @Test func `F248 nobody who reads is no failure, anything else is one`() {
    #expect(OutputFailure(code: EPIPE).ending == nil)
    let full = OutputFailure(code: ENOSPC).ending
    #expect(full?.status == .taken && full?.message.hasPrefix("standard output cannot be written: ") == true)
  }

  /// Runs the program with its standard output redirected by a shell.
  private func run(
    _ arguments: [String], _ redirection: String, environment: [String: String] = [:]
  ) async throws -> (status: Int32, errors: String) {
    let program = try BuiltProgram.url.path
    return try await onThread {
      let ending = try SpawnedProgram.run(
        "/bin/sh", ["-c", "exec \"$@\" \(redirection)", "sh", program] + arguments, environment: environment,
        input: nil)
      return (ending.status, ending.errors)
    }
  }

  private static let alone = [
    ["--help"], ["--version"], ["send", "--help"], ["--generate-completion-script", "bash"],
    ["config", "example"], ["config", "schema"], ["verbs"], ["verbs", "led"],
    ["decode", "11", "8c", "63", "34", "10"],
  ]

  @Test(arguments: alone, ["> /dev/full", ">&-"])
  func `F248 a result that cannot be written ends with 73, whatever it is`(
    _ arguments: [String], _ redirection: String
  ) async throws {
    let ending = try await run(arguments, redirection)
    #expect(ending.status == 73, "\(arguments) \(redirection): \(ending)")
    #expect(ending.errors.contains("standard output cannot be written"))
  }

  @Test(
    arguments: [["boards"], ["boards", "--json"], ["board", "pump"], ["explain", "pump"], ["top"]],
    ["> /dev/full", ">&-"])
  func `F248 so do commands that ask the broker`(_ arguments: [String], _ redirection: String) async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let ending = try await run(arguments, redirection, environment: rig.environment)
      #expect(ending.status == 73, "\(arguments) \(redirection): \(ending)")
      // Of any other file's number, such as the broker's socket, the reason would be another, or none.
      if redirection == ">&-" { #expect(ending.errors.contains("Bad file descriptor"), "\(ending.errors)") }
    }
  }
}
