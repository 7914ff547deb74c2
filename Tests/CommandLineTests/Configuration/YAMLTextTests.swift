import FleetModel
import Testing

@testable import metafleet

@Suite struct YAMLTextTests {
  @Test(
    arguments: [
      (.choice(["auto", "5"]), "auto", "auto"), (.choice(["auto", "5"]), "5", "\"5\""),
      (.duration(atLeast: .zero), "20s", "20s"), (.size, "1GB", "1GB"), (.percent, "10%", "10%"),
      (.word(atMost: 255), "localhost", "localhost"), (.word(atMost: 255), "127.0.0.1:1", "\"127.0.0.1:1\""),
      (.worded("a host", .word(atMost: 9)), "1.10", "\"1.10\""), (.address, "e5a1c2d3f4b6", "e5a1c2d3f4b6"),
      (.address, "001a7dda7113", "\"001a7dda7113\""), (.boolean, true, "true"), (.number(0...9), 0.5, "0.5"),
      (.list(of: .choice(["json"]), 0...3), ["json"], "[json]"), (.map(of: .boolean, 0...3), [:], "{}"),
    ] as [(ParameterType, JSONValue, String)])
  func `values are written so that every reader of YAML sees them`(
    _ type: ParameterType, _ value: JSONValue, _ text: String
  ) {
    #expect(YAMLText.of(value, as: type) == text)
  }
}
