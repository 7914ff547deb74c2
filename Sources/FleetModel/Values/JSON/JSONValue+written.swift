/// Numbers as they are read once `JSONWriter` has written them, without the way over text.
extension JSONValue {
  /// What is read of `JSONWriter.fixed`: rounded to at most `decimals` (0 to 6) digits after the point, an integer
  /// where none is left. What is not finite becomes the nearest number that is.
  package static func fixed(_ value: Double, decimals: Int) -> JSONValue {
    let unit = NumberTail.unit(min(max(decimals, 0), 6))
    let scaled = value.magnitude * unit
    guard scaled < 9e15 else { return shortest(value) }
    var rounded = Int64(scaled)
    if scaled - Double(rounded) >= 0.5 { rounded += 1 }
    if value < 0 { rounded.negate() }
    // Both are exact, so that the quotient is what the digits stand for.
    let (whole, rest) = rounded.quotientAndRemainder(dividingBy: Int64(unit))
    return rest == 0 ? .integer(whole) : .number(Double(rounded) / unit)
  }

  /// What is read of `JSONWriter.number`: an integer where it is whole.
  package static func shortest(_ value: Double) -> JSONValue {
    if let whole = Int64(exactly: value), whole.magnitude <= 1 << 53 { return .integer(whole) }
    return .number(
      value.isNaN ? 0 : min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude))
  }
}
