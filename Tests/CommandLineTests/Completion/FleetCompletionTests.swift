import Foundation
import Support
import Testing

@testable import metafleet

/// Completion as shells ask for it.
@Suite struct FleetCompletionTests {
  /// What the program answers a shell that hands over pieces of a line.
  private func offers(
    _ position: String, _ words: [String], environment: [String: String]
  ) async throws -> [String] {
    let last = words.count - 1
    let ending = try await BuiltProgram.run(
      ["---completion", "send", "--", position, "\(last)", "\(words[last].count)"] + words,
      environment: environment)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    return ending.output.split(separator: "\n").map(String.init)
  }

  @Test func `the names of the fleet come from the broker`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let all = try await offers("positional@0", ["metafleet", "send", ""], environment: rig.environment)
      #expect(all == ["Pump 3", "group:east", "group:all", "gateway:g1"])
      let options = ["metafleet", "send", "--port", "\(rig.broker.port)", "Pu"]
      #expect(try await offers("positional@0", options, environment: [:]) == ["Pump 3"])
    }
  }

  @Test func `without a broker there is nothing, and nothing is said`() async throws {
    let nobody = ["METAFLEET_MQTT_PORT": "1"]
    #expect(try await offers("positional@0", ["metafleet", "send", "P"], environment: nobody).isEmpty)
    let file = ["METAFLEET_CONFIG": "/nowhere/metafleet.yaml"]
    #expect(try await offers("positional@1", ["metafleet", "send", "P", "le"], environment: file) == ["led"])
  }

  @Test func `there is a script for each shell`() async throws {
    for shell in ["bash", "zsh", "fish"] {
      let ending = try await BuiltProgram.run(["--generate-completion-script", shell])
      #expect(ending.status == 0 && ending.output.contains("---completion"), "\(shell)")
    }
  }

  private static let bash = "/bin/bash"

  private static let script = #"""
    source <("$1" --generate-completion-script bash)
    shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="${LINE}"; COMP_POINT=${#LINE}
    _metafleet "$1" "${CURRENT}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
    """#

  /// What bash makes of a line, its words split as bash splits them. `current` is the text it replaces.
  private func complete(
    _ line: [String], current: String, environment: [String: String]
  ) async throws -> [String] {
    let program = try BuiltProgram.url.path
    var environment = environment
    environment["LINE"] = "metafleet " + line.joined(separator: " ")
    environment["CURRENT"] = current
    let arguments = ["-c", Self.script, "bash", program, program] + line
    let ending = try await onThread { [environment] in
      try SpawnedProgram.run(Self.bash, arguments, environment: environment, input: nil)
    }
    #expect(ending.errors.isEmpty, "\(ending.errors)")
    return ending.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: bash)))
  func `bash completes targets, verbs and arguments`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let environment = rig.environment.merging(["PATH": "/usr/bin:/bin"]) { first, _ in first }
      func offers(_ line: String..., current: String) async throws -> [String] {
        try await complete(line, current: current, environment: environment)
      }
      #expect(try await offers("send", "gro", current: "gro") == ["group:east", "group:all"])
      #expect(try await offers("send", "group", ":", "e", current: "e") == ["east"])
      #expect(try await offers("send", "Pump\\ 3", "ident", current: "ident") == ["identify"])
      #expect(try await offers("send", "pump", "led", "sta", current: "sta").contains("state=OFF"))
      #expect(try await offers("send", "pump", "led", "pattern", "=", "bl", current: "bl") == ["blink"])
      #expect(try await offers("send", "pump", "led", "state", "=", "ON", "patt", current: "patt").count == 4)
      #expect(
        try await offers("verbs", "log-st", current: "log-st") == ["log-start", "log-status", "log-stop"])
    }
  }
}
