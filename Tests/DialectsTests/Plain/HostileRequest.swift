import FleetModel

/// Makes requests that nobody sends by mistake, from a seed.
struct HostileRequest {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A message on the command topic of some verb, and what is odd about it.
  mutating func next() -> (message: MQTTMessage, kind: String) {
    let target = pick(["board/e5a1c2d3f4b6", "group/east", "group/all", "gateway/g", "board/NOT-A-BOARD"])
    let verb = pick(VerbCatalogue.all)
    let kind = pick(Self.kinds)
    var message = MQTTMessage(
      topic: "m/\(target)/cmd/\(verb.name)", payload: payload(kind, of: verb),
      isRetained: Int.random(in: 0..<40, using: &random) == 0)
    if Bool.random(using: &random) {
      message.properties.responseTopic = pick([
        "a/b", "a/#", "+", "", "\u{0}", "m/board/e5a1c2d3f4b6/cmd/reset",
      ])
      message.properties.correlationData = bytes(upTo: 64)
      message.properties.expiryInterval = pick([nil, 0, 1, .max])
      message.properties.user = [.init(pick(Self.texts), pick(Self.texts))]
    }
    return (message, kind)
  }

  static let kinds = [
    "empty", "noise", "bare text", "cut", "flipped", "doubled", "oversized", "deep", "wide", "long text",
    "numbers",
    "mistyped", "unknown keys", "ids", "times", "nested", "args replaced", "light", "job", "surrogates",
  ]

  private mutating func payload(_ kind: String, of verb: VerbDefinition) -> [UInt8] {
    let right = JSONWriter.render(["id": "a", "args": .object(verb.example)])
    switch kind {
    case "empty": return pick([[], Array(" ".utf8), Array("\t\r\n ".utf8)])
    case "noise": return bytes(upTo: 300)
    case "bare text":
      return pick([Array("PRESS".utf8), [0xFF, 0xFE], Array("\u{FEFF}{}".utf8), [0x50, 0], [0xC0, 0xAF]])
    case "cut": return Array(right.prefix(Int.random(in: 0..<right.count, using: &random)))
    case "flipped":
      var bytes = right
      for _ in 0...Int.random(in: 0...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
      }
      return bytes
    case "doubled":
      return text("{\"id\":\"a\",\"\(pick(["id", "args", "\\u0069d"]))\":{},\"args\":{\"a\":1,\"a\":1}}")
    case "oversized":
      return right
        + Array(repeating: 0x20, count: 16_384 + Int.random(in: 0..<9, using: &random) - right.count)
    case "deep":
      let depth = pick([7, 8, 9, 100, 5_000])
      return text(
        "{\"args\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}")
    case "wide":
      let count = pick([255, 256, 257, 1_200])
      return text("{\"args\":{" + (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",") + "}}")
    case "long text":
      return text(
        "{\"args\":{\"name\":\"" + String(repeating: "ü", count: pick([2_047, 2_048, 2_049])) + "\"}}")
    case "surrogates":
      return text(
        "{\"id\":\"\(pick(["\\ud800", "\\udc00\\ud800", "\\u0000", "\\uFFFF", "a\\u"]))\",\"args\":{}}")
    case "numbers": return object(with: .null, raw: pick(Self.numbers), of: verb)
    case "mistyped":
      return text(
        "{\"\(pick(["id", "args", "mode", "expires_ms", "issued_ms", "job"]))\":\(pick(Self.values))}")
    case "unknown keys":
      return text("{\"\(pick(Self.keys))\":\(pick(Self.values)),\"args\":{\"\(pick(Self.keys))\":1}}")
    case "ids": return JSONWriter.render(["id": .string(pick(Self.texts)), "args": .object(verb.example)])
    case "times":
      return text("{\"\(pick(["expires_ms", "issued_ms"]))\":\(pick(Self.numbers)),\"mode\":\"queue\"}")
    case "nested":
      let action: JSONObject = [
        "verb": .string(pick(VerbCatalogue.all).name), "args": .object(pick(VerbCatalogue.all).example),
      ]
      return JSONWriter.render([
        "args": .object(
          verb.example.merging([
            "action": .array(Array(repeating: .object(action), count: pick([0, 1, 28, 29])))
          ]))
      ])
    case "light":
      return text("{\"state\":\(pick(Self.values)),\"color\":\(pick(Self.values)),\"flash\":\"long\"}")
    case "job":
      return text(
        "{\"args\":{},\"job\":{\"\(pick(["parallel", "per_min", "abort_fail_pct", "x"]))\":\(pick(Self.values))}}"
      )
    default: return object(with: .string(pick(Self.texts)), raw: pick(Self.values), of: verb)
    }
  }

  /// The example of a verb with one of its arguments replaced.
  private mutating func object(with value: JSONValue, raw: String, of verb: VerbDefinition) -> [UInt8] {
    var arguments = verb.example
    let marker: JSONValue = .string("☠")
    arguments[pick(verb.parameters.map(\.name) + ["confirm"])] = Bool.random(using: &random) ? marker : value
    let whole = String(decoding: JSONWriter.render(["args": .object(arguments)]), as: UTF8.self)
    return text(whole.replacing("\"☠\"", with: raw))
  }

  private static let numbers = [
    "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "-0", "0x10", "01", "1.", ".5", "+1", "1e",
    "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e308", "5e-324", "1e-400", "5.0",
    "1E2",
    "99999999999999999999999999999999999999", "true", "\"5\"",
  ]
  private static let values = [
    "null", "true", "[]", "{}", "\"\"", "0", "-1", "1e300", "[[]]", "{\"__proto__\":{}}", "\"\\u202e\"",
    "[null]",
    "{\"verb\":\"raw\",\"args\":{\"hex\":\"fe08\"}}", "\"*\"",
  ]
  private static let keys = [
    "__proto__", "constructor", "toString", "hasOwnProperty", "", " ", "id ", "ID", "args.a", "\\u0061rgs",
    "\\n", "$ref",
    "ａｒｇｓ",
  ]
  private static let texts = [
    "", "..", "../../etc/passwd", "a/b", "a#b", "+", "\u{0}", "\n", "\u{202E}", "a b", "♞", "%s%n",
    "'; DROP TABLE command; --",
    "\u{1B}[2J", String(repeating: "x", count: 64), String(repeating: "x", count: 65), "constructor", "٣",
    "é", "e\u{301}",
  ]

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  private mutating func bytes(upTo count: Int) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in .random(in: .min ... .max, using: &random) }
  }
}
