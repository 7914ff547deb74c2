import FleetModel
import Testing

@Suite struct ArgumentValidationTests {
  private func check(
    _ value: JSONValue, as type: ParameterType, nearest: Bool = false
  ) throws(CommandFailure) -> JSONValue? {
    try ArgumentValidation.validate(
      ["key": value], against: [Parameter("key", type, "")], of: "test", acceptNearest: nearest
    ).values["key"]
  }

  private func refusal(_ arguments: JSONObject, _ parameters: [Parameter], nearest: Bool = false)
    -> CommandFailure?
  {
    do throws(CommandFailure) {
      _ = try ArgumentValidation.validate(arguments, against: parameters, of: "test", acceptNearest: nearest)
      return nil
    } catch { return error }
  }

  // Types.

  private static let takesCases: [(ParameterType, JSONValue, JSONValue)] = [
    (ParameterType.integer(0...31), JSONValue.number(5.0), JSONValue.integer(5)), (.integer(0...31), 31, 31),
    (.number(0...50), 5, 5), (.number(0...50), 0.5, 0.5), (.number(0...50), .number(5.0), 5),
    (.boolean, true, true),
    (.choice(["a", "b"]), "b", "b"), (.text(1...3), "äöü", "äöü"),
    (.duration(atLeast: .milliseconds(100)), "100ms", "100ms"), (.offered([12.5, 25]), 25, 25),
    (.offered([0.78125, 50]), 50.0, 50), (.name, "east_3-f", "east_3-f"),
    (.list(of: .name, 0...2), ["a", "b"], ["a", "b"]), (.list(of: .name, 0...2), [], []),
    (.list(of: .integer(0...9), 1...3), [1, 2.0], [1, 2]),
    (.map(of: .text(0...5), 0...2), ["a_1": "x"], ["a_1": "x"]),
    (.either([.choice(["red"]), .integer(0...9)]), 7, 7),
    (.either([.choice(["red"]), .integer(0...9)]), "red", "red"),
    (.object([Parameter("r", .integer(0...255), "")]), ["r": 5.0], ["r": 5]),
  ]

  @Test(arguments: takesCases)
  func `takes`(type: ParameterType, given: JSONValue, taken: JSONValue) throws {
    #expect(try check(given, as: type) == taken)
  }

  private static let refusesCases: [(ParameterType, JSONValue)] = [
    (ParameterType.integer(0...31), JSONValue.string("5")), (.integer(0...31), 5.5), (.integer(0...31), true),
    (.integer(0...31), 32), (.integer(0...31), -1), (.integer(0...31), .null),
    (.integer(0...31), .number(1e300)), (.number(0...50), "5"), (.number(0...50), 50.01),
    (.number(0...50), false), (.boolean, 1), (.boolean, "true"), (.choice(["a"]), "A"),
    (.choice(["a"]), "a "), (.choice(["a"]), 1), (.text(1...3), ""), (.text(1...3), "abcd"),
    (.text(1...3), 1), (.duration(atLeast: .milliseconds(100)), "99ms"), (.duration(atLeast: .zero), 60),
    (.duration(atLeast: .zero), "60"), (.offered([25]), "25"), (.offered([25]), true),
    (.offered([25]), .null), (.name, "East"), (.name, "a/b"), (.name, ""),
    (.list(of: .name, 0...2), ["a", "b", "c"]), (.list(of: .name, 0...2), ["a", 1]),
    (.list(of: .name, 1...2), []), (.list(of: .name, 0...2), "a"),
    (.map(of: .text(0...5), 0...2), ["A": "x"]), (.map(of: .text(0...5), 0...2), ["a": 1]),
    (.map(of: .text(0...5), 0...1), ["a": "x", "b": "y"]), (.map(of: .text(0...5), 0...1), []),
    (.either([.choice(["red"]), .integer(0...9)]), 10), (.object([]), 5), (.object([]), []),
  ]

  @Test(
    arguments: refusesCases)
  func `numbers as strings, true for a number, null and out of range are invalid`(
    type: ParameterType, given: JSONValue
  ) {
    let failure = refusal(["key": given], [Parameter("key", type, "")])
    #expect(failure?.code == .invalid)
    #expect(failure?.message.contains("key") == true)
  }

  // A typo never turns into a default.

  @Test func `unknown keys are named with what there is`() {
    let failure = refusal(
      ["paterm": "blink"], [Parameter("pattern", .boolean, ""), Parameter("color", .boolean, "")])
    #expect(failure == .invalid("test has no key \"paterm\"; did you mean pattern?"))
    #expect(refusal(["x": 1], []) == .invalid("test has no key \"x\"; it takes no keys"))
  }

  @Test func `F85 a hostile key reaches the message short and escaped`() throws {
    let message = try #require(refusal([String(repeating: "\u{1B}\n", count: 2_000): 1], [])?.message)
    #expect(message.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 })
    #expect(message.utf8.count < 400)
  }

  @Test func `what is required must be there`() {
    let failure = refusal([:], [Parameter("what", .choice(["battery", "mac"]), required: true, "")])
    #expect(failure == .invalid("test needs what: battery, mac"))
  }

  @Test func `defaults are filled in in the order of the declaration`() throws {
    let valid = try ArgumentValidation.validate(
      ["z": 1],
      against: [
        Parameter("a", .boolean, standard: true, ""), Parameter("z", .integer(0...9), ""),
        Parameter("m", .boolean, ""),
      ], of: "test")
    #expect(valid.values == ["a": true, "z": 1])
    #expect(valid.values.keys == ["a", "z"])
    #expect(valid.adjusted.isEmpty)
  }

  // Values from a list (MQTT contract 2.1).

  private static let rates = ParameterType.offered([0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100])

  private static let nearlySameCases: [(Double, JSONValue)] = [
    (0.78, JSONValue.number(0.78125)), (0.7890625, 0.78125), (49.5, 50), (50.5, 50), (99, 100), (101, 100),
    (12.5, 12.5),
  ]

  @Test(
    arguments: nearlySameCases)
  func `a value within 1 % of an offered one is that one`(given: Double, taken: JSONValue) throws {
    #expect(try check(.number(given), as: Self.rates) == taken)
  }

  private static let notOfferedCases: [(Double, String)] = [
    (0.77, "0.78125"), (60.0, "50"), (49.4, "50"), (50.6, "50"), (1e6, "100"), (-5, "0.78125"),
    (0, "0.78125"),
  ]

  @Test(
    arguments: notOfferedCases)
  func `otherwise it is invalid, and the message names the offers and the nearest`(
    given: Double, nearest: String
  ) {
    let failure = refusal(["rate_hz": .number(given)], [Parameter("rate_hz", Self.rates, "")])
    #expect(failure?.code == .invalid)
    #expect(failure?.message.contains("offered 0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100;") == true)
    #expect(failure?.message.hasSuffix("write \(nearest), or set nearest: true") == true)
  }

  private static let nearestCases: [(Double, JSONValue)] = [
    (60.0, JSONValue.integer(50)), (75, 50), (75.001, 100), (37.5, 25), (1e6, 100), (-1, 0.78125),
  ]

  @Test(
    arguments: nearestCases)
  func `who sets nearest gets it, ties go to the lower, and the key is listed`(
    given: Double, taken: JSONValue
  ) throws {
    let valid = try ArgumentValidation.validate(
      ["rate_hz": .number(given)], against: [Parameter("rate_hz", Self.rates, "")], of: "test",
      acceptNearest: true)
    #expect(valid.values["rate_hz"] == taken)
    #expect(valid.adjusted == ["rate_hz"])
  }

  @Test func `nearest adjusts nothing that fits`() throws {
    let valid = try ArgumentValidation.validate(
      ["rate_hz": 50.2], against: [Parameter("rate_hz", Self.rates, "")], of: "test", acceptNearest: true)
    #expect(valid.values == ["rate_hz": 50])
    #expect(valid.adjusted.isEmpty)
  }

  @Test(arguments: [JSONValue.integer(99), "x", true])
  func `nearest is for lists only`(value: JSONValue) {
    #expect(refusal(["k": value], [Parameter("k", .integer(0...31), "")], nearest: true)?.code == .invalid)
  }

  // Objects in objects.

  private static let pulse = ParameterType.object([
    Parameter("high", .integer(0...31), required: true, ""),
    Parameter("low", .integer(0...31), standard: 3, ""),
  ])

  @Test func `members are checked like arguments`() throws {
    #expect(try check(["high": 5], as: Self.pulse) == ["high": 5, "low": 3])
    let parameter = Parameter("green", Self.pulse, "")
    #expect(refusal(["green": ["hihg": 5]], [parameter])?.message.contains("\"hihg\"") == true)
    #expect(refusal(["green": ["low": 5]], [parameter])?.message.contains("needs high") == true)
    #expect(refusal(["green": ["high": 32]], [parameter])?.message.contains("0 to 31") == true)
  }

  @Test func `of several forms an object is judged as an object, so that the member at fault is named`() {
    let color = Parameter("color", .either([.choice(["red"]), Self.pulse]), "")
    #expect(refusal(["color": ["high": 99]], [color])?.message.contains("high of color") == true)
    let other = refusal(["color": "blu"], [color])?.message
    #expect(other?.contains("red; or an object with high, low") == true)
    #expect(other?.contains("\"blu\"") == true)
  }
}
