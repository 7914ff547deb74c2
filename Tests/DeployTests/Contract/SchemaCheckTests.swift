import FleetModel
import Testing

@Suite struct SchemaCheckTests {
  private static let schema: JSONObject = [
    "type": "object", "required": ["a"], "additionalProperties": false,
    "properties": [
      "a": ["type": "integer", "minimum": 1, "maximum": 3], "b": ["enum": ["x", "y"]],
      "c": ["type": "array", "items": ["type": "string", "pattern": "^[a-z]+$"], "maxItems": 2],
      "d": ["$ref": "#/$defs/d"], "e": ["oneOf": [["type": "boolean"], ["const": 5]]],
    ],
    "if": ["properties": ["b": ["const": "y"]], "required": ["b"]], "then": ["required": ["c"]],
    "$defs": ["d": ["type": "number"]],
  ]

  private static let right: [JSONValue] = [
    ["a": 1], ["a": 3, "b": "x"], ["a": 2, "c": ["ab"]], ["a": 1, "d": 0.5], ["a": 1, "e": true],
    ["a": 1, "b": "y", "c": []],
  ]
  private static let wrong: [JSONValue] = [
    [:], ["a": 0], ["a": 4], ["a": 1.5], ["a": 1, "b": "z"], ["a": 1, "c": ["A"]],
    ["a": 1, "c": ["a", "b", "c"]],
    ["a": 1, "d": "1"], ["a": 1, "e": 4], ["a": 1, "f": 1], [1], ["a": 1, "b": "y"],
  ]

  @Test func `what is right is found right, and what is wrong wrong`() {
    for value in Self.right { #expect(SchemaCheck(Self.schema).problems(of: value) == [], "\(value)") }
    for value in Self.wrong { #expect(SchemaCheck(Self.schema).problems(of: value) != [], "\(value)") }
  }

  @Test func `a keyword that is not known is told`() {
    #expect(SchemaCheck(["uniqueItems": true]).problems(of: []) != [])
  }
}
