import Testing

@testable import metafleet

@Suite struct ScanCommandTests {
  @Test func `scan hears the boards of a bus`() async throws {
    let simulator = try RunningProgram.start(["simulate", "--boards", "2"])
    let line = try #require(try await simulator.nextLine())
    let bus = String(line.drop { $0 != "=" }.dropFirst())
    let ending = try await BuiltProgram.run(
      ["scan", "--for", "2s", "--json", "--port", "1"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus])
    #expect(ending.status == 0)
    #expect(ending.output.split(separator: "\n").count == 2)
    #expect(ending.output.contains(#""board":"c0ffee000001""#))
    #expect(!ending.output.contains("admitted"))
    #expect(try await simulator.end(with: 15) == 0)
  }

  @Test func `a bus that is not there ends with 69 and the fix`() async throws {
    let ending = try await BuiltProgram.run(
      ["scan", "--for", "1s"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"])
    #expect(ending.status == 69)
    #expect(ending.errors.contains("systemctl start dbus bluetooth"))
  }
}
