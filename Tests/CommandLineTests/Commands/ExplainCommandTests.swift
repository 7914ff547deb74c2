import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct ExplainCommandTests {
  @Test func `the status tells whether data come, the words why not`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let well = try await BuiltProgram.run(
        ["explain", "pump", "--for", "10ms"], environment: rig.environment)
      #expect(well.status == 0, "\(well.errors)")
      #expect(well.output.hasPrefix("Pump 3: streaming, but no live sample was received within 10ms\n"))
      #expect(!well.output.contains("\u{1B}"))

      try await rig.publish(["gateway/g1/availability": #"{"state":"offline","birth":1}"#])
      let gone = try await BuiltProgram.run(["explain", "pump", "--json"], environment: rig.environment)
      #expect(gone.status == 1)
      let object = try StrictJSON.parse(Array(gone.output.dropLast().utf8), limits: .trusting).object
      #expect(object?["causes"]?.array?.compactMap { $0.object?["code"] } == ["gateway-stopped"])

      let unlisted = try await BuiltProgram.run(["explain", "0123456789ab"], environment: rig.environment)
      #expect(unlisted.status == 1)
      #expect(unlisted.output.contains("metafleet admit 01:23:45:67:89:AB"))
      #expect(try await BuiltProgram.run(["explain", "nobody"], environment: rig.environment).status == 64)
    }
  }

  @Test func `a broker that is not there ends with 69 and says what to do`() async throws {
    let ending = try await BuiltProgram.run(["explain", "pump", "--host", "127.0.0.1", "--port", "1"])
    #expect(ending.status == 69)
    #expect(ending.errors.contains("start it"))
  }
}
