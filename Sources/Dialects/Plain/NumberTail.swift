import FleetModel

/// The end of a buffer while numbers and names are written to it: what a batch of samples mostly consists of. Writes
/// through a pointer, because a checked append per digit costs four times as much; whoever makes one sees to it that
/// there is room.
struct NumberTail {
  /// The most bytes a number takes.
  static let longestNumber = 32

  private(set) var end: UnsafeMutablePointer<UInt8>

  /// Appends at `end`.
  init(at end: UnsafeMutablePointer<UInt8>) { self.end = end }

  mutating func byte(_ byte: UInt8) {
    end.pointee = byte
    end += 1
  }

  /// Writes what is JSON already.
  mutating func raw(_ text: Span<UInt8>) {
    text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return }
      end.update(from: start, count: text.count)
      end += text.count
    }
  }

  /// Writes a whole number.
  mutating func integer(_ value: Int64) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    digits(value.magnitude, count: Self.count(value.magnitude))
  }

  private static let units: [7 of UInt64] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

  /// Writes a number with at most `decimals` (0 to 6) digits after the point, rounded, without trailing zeros.
  mutating func fixed(_ value: Double, decimals: Int) {
    let places = min(max(decimals, 0), 6)
    let unit = Self.units[places]
    let scaled = (value * Double(unit)).rounded()
    guard scaled.magnitude < 9e15 else { return number(value) }
    if scaled < 0 { byte(UInt8(ascii: "-")) }
    let (whole, fraction) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: unit)
    digits(whole, count: Self.count(whole))
    guard fraction != 0 else { return }
    byte(UInt8(ascii: "."))
    digits(fraction, count: places)
    while end[-1] == UInt8(ascii: "0") { end -= 1 }
  }

  /// Writes a number in the shortest form that reads back as the same.
  mutating func number(_ value: Double) {
    if let whole = Int64(exactly: value), whole.magnitude <= 1 << 53 { return integer(whole) }
    let finite = value.isNaN ? 0 : min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
    for byte in "\(finite)".utf8 { self.byte(byte) }
  }

  private mutating func digits(_ value: UInt64, count: Int) {
    var rest = value
    for index in stride(from: count - 1, through: 0, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      end[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    end += count
  }

  private static func count(_ value: UInt64) -> Int {
    var (count, rest) = (1, value)
    while rest >= 10_000 {
      rest /= 10_000
      count &+= 4
    }
    return rest >= 1_000 ? count &+ 3 : rest >= 100 ? count &+ 2 : rest >= 10 ? count &+ 1 : count
  }
}
