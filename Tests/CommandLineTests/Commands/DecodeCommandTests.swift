import Testing

@testable import metafleet

@Suite struct DecodeCommandTests {
  @Test func `one packet of arguments`() async throws {
    let ending = try await BuiltProgram.run(["decode", "11", "8c", "63:34", "10", "--from", "board"])
    #expect(ending.status == 0)
    #expect(
      ending.output
        == "11 8c 63 34 10  board answers: settings, battery\n  charge   99 %\n  voltage  4148 mV\n")
  }

  @Test func `a trace of lines, with what one says about the next`() async throws {
    let ending = try await BuiltProgram.run(
      ["decode", "--json"], input: "# a board\n< 03 80 04 00\n> 03 03 a8 01\n\n< 03 04 00 20 00 00 00 e0\n")
    #expect(ending.status == 0)
    let lines = ending.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.last?.contains(#"{"name":"x","value":1,"unit":"g"}"#) == true, "\(ending.output)")
  }

  @Test func `a line that is no packet is named, the others are explained, and the status is 64`()
    async throws
  {
    let ending = try await BuiltProgram.run(["decode"], input: "zz\nfe 01\n")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("line 1: \"zz\" is not a packet"))
    #expect(ending.output.hasPrefix("fe 01  host writes: debug, reset now\n"))
    for arguments in [
      ["decode", "zz"], ["decode", "11", "--model", "c"], ["decode", "11", "--from", "me"],
    ] {
      #expect(try await BuiltProgram.run(arguments).status == 64)
    }
  }
}
