import FleetModel
import Testing

@Suite struct JSONValueTests {
  private static let integersCases: [(JSONValue, Int64)] = [
    (JSONValue.integer(5), Int64(5)), (.number(5.0), 5), (.number(-0.0), 0), (.number(1e3), 1_000),
    (.integer(.max), .max), (.integer(.min), .min),
  ]

  @Test(
    arguments: integersCases)
  func `whole numbers count as integers however they are written`(value: JSONValue, integer: Int64) {
    #expect(value.integer == integer)
  }

  private static let nothingElseIsAnIntegerCases: [JSONValue] = [
    JSONValue.number(5.5), .number(1e300), .number(-1e300), .number(.infinity), .number(.nan), "5", true,
    .null, [5], ["a": 5],
  ]

  @Test(arguments: nothingElseIsAnIntegerCases)
  func `nothing else is an integer`(value: JSONValue) { #expect(value.integer == nil) }

  @Test func `a number is no boolean and the other way round`() {
    #expect(JSONValue.bool(true).number == nil)
    #expect(JSONValue.integer(1).bool == nil)
    #expect(JSONValue.integer(1).number == 1)
    #expect(JSONValue.string("1").number == nil)
  }

  @Test func `each case gives what it holds`() {
    #expect(JSONValue.string("a").string == "a")
    #expect(JSONValue.bool(false).bool == false)
    #expect(JSONValue.array([1]).array == [1])
    #expect(JSONValue.object(["a": 1]).object == ["a": 1])
    #expect(JSONValue.null.string == nil && JSONValue.null.object == nil && JSONValue.null.array == nil)
  }
}
