import FleetModel
import Foundation
import Support
import Testing

@Suite struct StrictJSONTests {
  private func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONProblem) -> JSONValue {
    try StrictJSON.parse(Array(text.utf8), limits: limits)
  }

  private static let acceptedCases: [(String, JSONValue)] = [
    ("{}", [:]), (" \t\r\n{ } \n", [:]), ("[]", []), ("[ 1 , 2 ]", [1, 2]), ("true", true), ("false", false),
    ("null", .null), ("\"\"", ""), ("0", 0), ("-0", 0), ("5", 5), ("-5", -5), ("5.0", .number(5)),
    ("5.5", 5.5), ("0.1e1", .number(1)), ("1e3", .number(1_000)), ("1E+2", .number(100)), ("1e-2", 0.01),
    ("-0.0", .number(-0.0)), ("1e-999", .number(0)), ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(0x1p63)),
    (#"{"a":1,"b":{"a":2}}"#, ["a": 1, "b": ["a": 2]]), (#"[[[[[[[1]]]]]]]"#, [[[[[[[1]]]]]]]),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u00E9""#, "éé"), (#""\ud83c\udfed""#, "🏭"),
    ("\"🏭é\"", "🏭é"), ("\"\u{7F}\"", "\u{7F}"), (#"{"":1}"#, ["": 1]),
    (#"{"a b":[true,null]}"#, ["a b": [true, .null]]),
  ]

  @Test(arguments: acceptedCases)
  func `RFC 8259`(text: String, value: JSONValue) throws { #expect(try parse(text) == value) }

  @Test(
    arguments: [
      "", " ", "{", "}", "[", "]", "{]", "[}", "nul", "nulll", "True", "TRUE", "undefined", "'a'", "{a:1}",
      "{'a':1}", #"{"a"}"#,
      #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{"a":1}}"#, #"{"a":1} x"#,
      "{} {}", "[1,]", "[,1]",
      "[1 2]", "[1,,2]", #"{1:2}"#, #"{"a":1,"b"}"#, "// x\n{}", "/* */{}", "\u{FEFF}{}", "\u{A0}{}",
      "{}\u{0}", "\u{C}{}", "\u{B}{}",
      // Numbers.
      "01", "-01", "00", "1.", ".5", "-", "+1", "--1", "1e", "1e+", "1.e1", "1.5.5", "1e1.5", "0x10", "1_000",
      "１", "Infinity", "-Infinity",
      "NaN", "1e999", "-1e999", "1e309", "- 1", "1 e3", "1a",
      // Strings.
      "\"", "\"a", #""\"#, #""\x""#, #""\u""#, #""\u12""#, #""\u123g""#, #""\U0041""#, "\"a\nb\"", "\"a\tb\"",
      "\"\u{1F}\"", "\"\u{0}\"",
      #""\u0000""#, #"{"\u0000":1}"#, #""\ud83c""#, #""\ud83cx""#, #""\ud83c\n""#, #""\ud83c\u0041""#,
      #""\ud83c\ud83c""#, #""\udfed""#,
      #""\udfed\ud83c""#,
    ])
  func `what RFC 8259 does not allow is refused`(text: String) {
    #expect(throws: JSONProblem.self) { try parse(text) }
  }

  @Test(
    arguments: [
      #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"b":{"a":1,"a":2}}"#, #"[{"a":null,"a":null}]"#,
      #"{"a":1,"\u0061":2}"#,
    ])
  func `F84 duplicate keys are refused wherever they stand`(text: String) throws {
    let problem = try #require(throws: JSONProblem.self) { try parse(text) }
    #expect(problem.message.contains("twice"))
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x80],
      [0xF4, 0x90, 0x80, 0x80],
    ] as [[UInt8]])
  func `F84 bytes that are no UTF-8 are refused`(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(throws: JSONProblem.self) { try StrictJSON.parse([quote] + bytes + [quote]) }
  }

  // Limits of MQTT contract 9.

  private func nested(_ open: String, _ close: String, _ depth: Int) -> String {
    String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
  }

  @Test func `F84 nesting 8, the root being 1`() {
    #expect(throws: Never.self) { try parse(nested("[", "]", 8)) }
    #expect(throws: Never.self) { try parse(nested(#"{"a":"#, "}", 8)) }
    #expect(throws: JSONProblem.self) { try parse(nested("[", "]", 9)) }
    #expect(throws: JSONProblem.self) { try parse(nested(#"{"a":"#, "}", 9)) }
    #expect(throws: JSONProblem.self) { try parse(nested("[", "]", 8_000)) }
  }

  @Test func `F84 16 KiB`() {
    let fits = "[" + String(repeating: "1,", count: 8_190) + "11]"
    #expect(fits.utf8.count == 16_384)
    #expect(throws: Never.self) { try parse(fits) }
    #expect(throws: JSONProblem.self) { try parse(fits + " ") }
  }

  @Test func `F84 256 keys in all`() {
    func object(_ count: Int) -> String {
      "{" + (0..<count).map { #""\#($0)":{}"# }.joined(separator: ",") + "}"
    }
    #expect(throws: Never.self) { try parse(object(256)) }
    #expect(throws: JSONProblem.self) { try parse(object(257)) }
    let list = "[" + Array(repeating: #"{"a":1}"#, count: 257).joined(separator: ",") + "]"
    #expect(throws: JSONProblem.self) { try parse(list) }
  }

  private static let stringsCases: [(String, Int)] = [("x", 4_096), ("é", 2_048), (#"\n"#, 4_096)]

  @Test(arguments: stringsCases)
  func `F84 strings of 4 KiB`(unit: String, count: Int) {
    #expect(throws: Never.self) { try parse("\"\(String(repeating: unit, count: count))\"") }
    #expect(throws: JSONProblem.self) { try parse("\"\(String(repeating: unit, count: count + 1))\"") }
    #expect(throws: JSONProblem.self) { try parse("{\"\(String(repeating: unit, count: count + 1))\":1}") }
  }

  @Test func `our own documents may be larger`() throws {
    let object = JSONObject((0..<2_000).map { ("key \($0)", .string(String(repeating: "x", count: 100))) })
    #expect(try StrictJSON.parse(JSONWriter.render(object), limits: .trusting).object == object)
  }

  @Test func `the problem tells where`() throws {
    let problem = try #require(throws: JSONProblem.self) { try parse(#"{"a":01}"#) }
    #expect(problem.offset == 6)
  }

  @Test(
    arguments: 1...10 as ClosedRange<UInt64>)
  func `F84 10 000 hostile payloads: nothing traps, and what is taken is JSON to others, too`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for number in 0..<1_000 {
      let payload = GeneratedJSON.hostilePayload(using: &random)
      guard let value = try? StrictJSON.parse(payload) else { continue }
      #expect(payload.count <= 16_384, "seed \(seed), payload \(number)")
      let others = try? JSONSerialization.jsonObject(with: Data(payload), options: .fragmentsAllowed)
      #expect(others != nil, "seed \(seed), payload \(number)")
      let again = JSONWriter.render(["v": value])
      let read = (try? StrictJSON.parse(again, limits: .trusting))?.object
      #expect(read.map(JSONWriter.render) == again, "seed \(seed), payload \(number)")
    }
  }
}
