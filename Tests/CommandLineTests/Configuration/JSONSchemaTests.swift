import Testing

@testable import FleetModel
@testable import metafleet

@Suite struct JSONSchemaTests {
  @Test func `the schema has a description and a type for every key`() {
    let properties = JSONSchema.file["properties"]?.object
    #expect(properties?.keys == ConfigurationKeys.file.map(\.name))
    #expect(
      properties?["mqtt"]?.object?["properties"]?.object?["port"]?.object?["maximum"] == 65_535)
    let stream = properties?["profiles"]?.object?["additionalProperties"]?.object?["properties"]?.object?[
      "stream"]
    #expect(stream?.object?["properties"]?.object?["acceleration"] != nil)
  }

  @Test func `what is required is required`() {
    let boards = JSONSchema.file["properties"]?.object?["boards"]?.object?["items"]?.object
    #expect(boards?["required"] == ["address"])
    #expect(boards?["additionalProperties"] == false)
  }

  @Test func `a former name is allowed, and marked as deprecated`() {
    let key = Parameter(
      "b", .boolean, required: true, file: FileKey(reload: .live, formerName: "a"), "A flag.")
    let schema = JSONSchema.members([key])
    #expect(schema["properties"]?.object?.keys == ["b", "a"])
    #expect(schema["properties"]?.object?["a"]?.object?["deprecated"] == true)
    #expect(schema["required"] == nil)
  }

  @Test(
    arguments: [
      (.boolean, #"{"type":"boolean"}"#), (.integer(1...5), #"{"type":"integer","minimum":1,"maximum":5}"#),
      (.choice(["a", "b"]), #"{"enum":["a","b"]}"#),
      (.offered([1, 2.5]), #"{"type":"number","examples":[1,2.5]}"#),
      (.either([.boolean, .choice(["x"])]), #"{"anyOf":[{"type":"boolean"},{"enum":["x"]}]}"#),
      (
        .object([Parameter("r", .boolean, required: true, standard: false, "red")]),
        #"{"type":["object","null"],"additionalProperties":false,"properties":{"r":{"type":"boolean","description":"red","default":false}},"required":["r"]}"#
      ),
    ] as [(ParameterType, String)])
  func `parameters have a schema`(_ type: ParameterType, _ expected: String) {
    #expect(JSONText.of(.object(JSONSchema.of(type))) == expected)
  }
}
