import Dialects
import FleetModel
import Testing

@testable import metafleet

/// `retained audit` against a real broker.
@Suite(.timeLimit(.minutes(5))) struct RetainedCommandTests {
  @Test func `F261 what is left over is listed first, and removed when that is wanted`() async throws {
    try await ClientRig.with { rig in
      try await rig.publish([
        "gateway/g1/availability": #"{"state":"online","birth":1}"#, "gateway/g1/health": "{}",
        "gateway/g1/info": #"{"gateway":"g1","host":"pi","config_hash":"0","boards":[]}"#,
        "board/e5a1c2d3f4b7/info": #"{"name":"Pump 4","gw":"g1"}"#, "board/e5a1c2d3f4b6/cmd/led": "{}",
      ])
      let words = ["retained", "audit"]
      let listed = try await BuiltProgram.run(words, environment: rig.environment)
      #expect(listed.status == 1 && listed.output.contains("  metafleet/board/e5a1c2d3f4b7/info\n"))
      #expect(listed.errors.contains("nothing is removed yet; --clean removes 2 retained topics"))
      let objects = try await BuiltProgram.run(words + ["--json"], environment: rig.environment)
      #expect(objects.output.split(separator: "\n").count == 2)
      let done = try await BuiltProgram.run(words + ["--clean"], environment: rig.environment)
      #expect(done.status == 0 && done.errors.contains("removed 2 retained topics"), "\(done.errors)")
      let again = try await BuiltProgram.run(words, environment: rig.environment)
      #expect(again.status == 0 && again.output.isEmpty, "\(again.output)")
    }
  }
}
