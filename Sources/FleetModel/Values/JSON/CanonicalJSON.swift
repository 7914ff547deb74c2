/// JSON in the one form that everybody writes alike (RFC 8785), so that hashes of it can be compared.
package enum CanonicalJSON {
  /// The first 16 hex digits of SHA-256 over the canonical form (MQTT contract 1.5).
  package static func hash(_ object: JSONObject) -> String {
    Hex.string(SHA256.digest(of: bytes(object)).prefix(8))
  }

  /// The canonical form.
  package static func bytes(_ object: JSONObject) -> [UInt8] {
    var text = ""
    write(.object(object), to: &text)
    return Array(text.utf8)
  }

  private static func write(_ value: JSONValue, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .number(let value): text += number(value)
    case .string(let value): write(value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        write(element, to: &text)
      }
      text += "]"
    case .object(let object):
      text += "{"
      // By UTF-16 units, as ECMAScript sorts.
      let members = object.members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        write(member.key, to: &text)
        text += ":"
        write(member.value, to: &text)
      }
      text += "}"
    }
  }

  private static let shortEscapes: [UInt32: String] = [
    0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r", 0x22: "\\\"", 0x5C: "\\\\",
  ]

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      if let short = shortEscapes[scalar.value] {
        text += short
      } else if scalar.value < 0x20 {
        text += "\\u00" + Hex.string([UInt8(scalar.value)])
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  /// As ECMAScript writes numbers: the same shortest digits as Swift's, with exponents only outside of 10⁻⁷ to 10²¹.
  static func number(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return "0" }
    let sign = value < 0 ? "-" : ""
    // Swift writes `d.ddd`, or `d.ddde±xx`.
    let parts = "\(value.magnitude)".split(separator: "e")
    let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = String(halves[0])
    let fraction = halves.count > 1 ? String(halves[1]) : ""
    let all = whole + fraction
    let leading = all.prefix { $0 == "0" }.count
    var digits = String(all.dropFirst(leading))
    while digits.hasSuffix("0") { digits.removeLast() }
    /// The decimal point stands behind so many of the digits.
    let point = whole.count - leading + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    let count = digits.count
    if point > 21 || point < -5 {
      let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
      return sign + mantissa + "e" + (point < 1 ? "-" : "+") + "\((point - 1).magnitude)"
    }
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= count { return sign + digits + String(repeating: "0", count: point - count) }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }
}
