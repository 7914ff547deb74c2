import FleetModel
import Testing

@testable import metafleet

@Suite struct CommandArgumentsTests {
  @Test(
    arguments: [
      (["color=green"], "{\"color\":\"green\"}"),
      (["repeat=5", "on=true", "x=1.5", "e="], "{\"repeat\":5,\"on\":true,\"x\":1.5,\"e\":\"\"}"),
      (["color.r=255", "color.g=0"], "{\"color\":{\"r\":255,\"g\":0}}"),
      (["color={\"r\":1}", "color.g=2"], "{\"color\":{\"r\":1,\"g\":2}}"),
      (["a.b.c=[1,2]"], "{\"a\":{\"b\":{\"c\":[1,2]}}}"),
      (
        ["stream=*", "expr=a=b", "hex=0b84", "quoted=\"5\""],
        "{\"stream\":\"*\",\"expr\":\"a=b\",\"hex\":\"0b84\",\"quoted\":\"5\"}"
      ),
      ([], "{}"),
    ])
  func `words become an object`(_ words: [String], _ expected: String) throws {
    #expect(JSONText.of(.object(try CommandArguments.parse(words))) == expected)
  }

  @Test(arguments: [
    ["green"], ["=1"], ["a..b=1"], [".a=1"], ["a=1", "a=2"], ["a=1", "a.b=2"], ["a.b=1", "a=2"],
  ])
  func `what cannot be meant is a usage failure`(_ words: [String]) {
    #expect { try CommandArguments.parse(words) } throws: { ($0 as? CommandLineFailure)?.status == .usage }
  }
}
