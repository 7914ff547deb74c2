import FleetModel
import Foundation
import Support
import Testing

@Suite struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  private static let fixedCases: [(Double, Int, String)] = [
    (0, 5, "0"), (1, 5, "1"), (-1, 0, "-1"), (0.012, 5, "0.012"), (-0.981, 5, "-0.981"), (0.5, 0, "1"),
    (1.5, 0, "2"), (-0.5, 0, "-1"), (0.99999, 5, "0.99999"), (0.999994, 5, "0.99999"), (0.999995, 5, "1"),
    (0.9999999, 5, "1"), (-0.999996, 5, "-1"), (9.999999, 5, "10"), (0.00001, 5, "0.00001"),
    (0.000004, 5, "0"), (-0.000004, 5, "0"), (-0.0, 5, "0"), (0.1, 3, "0.1"), (0.10049, 3, "0.1"),
    (0.1005001, 3, "0.101"), (21.44, 3, "21.44"), (100.001, 3, "100.001"), (101325.125, 3, "101325.125"),
    (2_000.0001, 4, "2000.0001"), (0.000001, 6, "0.000001"), (123.456, 9, "123.456"), (5.5, -1, "6"),
    (1_763_671_234.5, 3, "1763671234.5"), (8_999_999_999_999_999, 0, "8999999999999999"),
  ]

  @Test(arguments: fixedCases)
  func `at most so many decimals, rounded, without trailing zeros`(value: Double, decimals: Int, text: String)
  {
    #expect(written { $0.fixed(value, decimals: decimals) } == text)
  }

  @Test(
    arguments: [1e16, -1e16, 1e300, -1e308, .greatestFiniteMagnitude])
  func `numbers too large for decimals stay numbers`(value: Double) {
    #expect(Double(written { $0.fixed(value, decimals: 5) }) == value)
  }

  private static let numberCases: [(Double, String)] = [
    (0, "0"), (-0.0, "0"), (5, "5"), (-5, "-5"), (5.5, "5.5"), (0.1, "0.1"), (1e15, "1000000000000000"),
    (9_007_199_254_740_992, "9007199254740992"), (1e16, "1e+16"), (1e-7, "1e-07"),
    (.leastNonzeroMagnitude, "5e-324"),
  ]

  @Test(arguments: numberCases)
  func `whole numbers have no fraction, the others the shortest form`(value: Double, text: String) {
    #expect(written { $0.number(value) } == text)
    #expect(Double(text) == value)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
  func `JSON has no NaN and no infinity`(value: Double) throws {
    for text in [written { $0.number(value) }, written { $0.fixed(value, decimals: 3) }] {
      #expect(try #require(Double(text)).isFinite)
    }
  }

  @Test(arguments: [0, 7, -7, 10, 1_000_000, .max, .min] as [Int64])
  func `integers`(value: Int64) { #expect(written { $0.integer(value) } == "\(value)") }

  private static let stringCases: [(String, String)] = [
    ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\n\t\r", #""\n\t\r""#), ("\u{0}", #""\u0000""#),
    ("\u{1B}[31m", #""\u001b[31m""#), ("\u{7F}", #""\u007f""#), ("\u{8}\u{C}", #""\u0008\u000c""#),
    ("Größe 🏭", #""Größe 🏭""#),
    ("\r\n", #""\r\n""#),
  ]

  @Test(arguments: stringCases)
  func `F85 control characters and DEL are escaped`(text: String, json: String) {
    #expect(written { $0.string(text) } == json)
  }

  @Test func `documents keep their order and have no blanks`() {
    let object: JSONObject = [
      "z": 1, "a": [true, false, .null, "x"], "o": ["i": -0.5, "e": [:]], "l": [],
    ]
    #expect(
      String(decoding: JSONWriter.render(object), as: UTF8.self)
        == #"{"z":1,"a":[true,false,null,"x"],"o":{"i":-0.5,"e":{}},"l":[]}"#)
  }

  @Test func `taking empties the buffer`() {
    var writer = JSONWriter(reserving: 10)
    writer.raw("[")
    #expect(writer.take() == [UInt8(ascii: "[")])
    #expect(writer.bytes.isEmpty)
  }

  /// Foundation's parser is the witness that what we write is JSON, and says what we meant.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `others read what is written`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let object = GeneratedJSON.object(depth: 4, using: &random)
    let bytes = JSONWriter.render(object)
    #expect(throws: Never.self, "seed \(seed)") { try JSONSerialization.jsonObject(with: Data(bytes)) }
    let read = try StrictJSON.parse(bytes, limits: .trusting)
    #expect(read.object == object, "seed \(seed)")
  }
}
