/// The end of a buffer while numbers and names are written to it: what a batch of samples mostly consists of. Writes
/// through a pointer, because a checked append per digit costs four times as much; whoever makes one sees to it that
/// there is room. Inlined where samples are written, which is in another module.
@frozen package struct NumberTail {
  /// The most bytes a number takes.
  package static let longestNumber = 32

  @usableFromInline package internal(set) var end: UnsafeMutablePointer<UInt8>

  /// Appends at `end`.
  @inlinable package init(at end: UnsafeMutablePointer<UInt8>) { self.end = end }

  /// Writes one byte.
  @inlinable package mutating func byte(_ byte: UInt8) {
    end.pointee = byte
    end += 1
  }

  /// Writes what is JSON already.
  @inlinable package mutating func raw(_ text: Span<UInt8>) {
    text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return }
      end.update(from: start, count: text.count)
      end += text.count
    }
  }

  /// Writes what is JSON already.
  @inlinable package mutating func raw(_ text: StaticString) {
    end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    end += text.utf8CodeUnitCount
  }

  /// Writes text that needs no escapes.
  @inlinable package mutating func plain(_ text: String) {
    var text = text
    text.withUTF8 { text in
      guard let start = text.baseAddress else { return }
      end.update(from: start, count: text.count)
      end += text.count
    }
  }

  /// Writes a whole number.
  @inlinable package mutating func integer(_ value: Int64) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    digits(value.magnitude, count: Self.count(value.magnitude))
  }

  /// What a number with so many digits after the point is counted in. A switch, because a table would be fetched over
  /// the module's border for every number.
  @inlinable static func unit(_ places: Int) -> Double {
    switch places {
    case ..<1: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    default: 1_000_000
    }
  }

  /// Writes a number with at most `decimals` (0 to 6) digits after the point, rounded, without trailing zeros.
  @inline(__always) @inlinable package mutating func fixed(_ value: Double, decimals: Int) {
    let places = min(max(decimals, 0), 6)
    let unit = Self.unit(places)
    let scaled = value.magnitude * unit
    guard scaled < 9e15 else { return number(value) }
    var rounded = Int64(scaled)
    if scaled - Double(rounded) >= 0.5 { rounded += 1 }
    if value < 0, rounded != 0 { byte(UInt8(ascii: "-")) }
    let (whole, fraction) = rounded.magnitude.quotientAndRemainder(dividingBy: UInt64(Int64(unit)))
    digits(whole, count: Self.count(whole))
    guard fraction != 0 else { return }
    byte(UInt8(ascii: "."))
    digits(fraction, count: places)
    while end[-1] == UInt8(ascii: "0") { end -= 1 }
  }

  /// Writes a number in the shortest form that reads back as the same.
  @inlinable package mutating func number(_ value: Double) {
    if let whole = Int64(exactly: value), whole.magnitude <= 1 << 53 { return integer(whole) }
    let finite = value.isNaN ? 0 : min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
    for byte in "\(finite)".utf8 { self.byte(byte) }
  }

  /// Writes exactly `count` digits, with zeros before them.
  @inline(__always) @inlinable package mutating func digits(_ value: UInt64, count: Int) {
    // 00 to 99: a division for every two digits is half as many. Written here, because it would be fetched over the
    // module's border for every number otherwise.
    let text: StaticString = """
      0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
      5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
      """
    let pairs = text.utf8Start
    var rest = value
    var index = count
    while index >= 2 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      index &-= 2
      let place = Int(truncatingIfNeeded: pair) &* 2
      end[index] = pairs[place]
      end[index &+ 1] = pairs[place &+ 1]
      rest = quotient
    }
    if index == 1 { end[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
    end += count
  }

  @inlinable static func count(_ value: UInt64) -> Int {
    var (count, rest) = (1, value)
    while rest >= 10_000 {
      rest /= 10_000
      count &+= 4
    }
    return rest >= 1_000 ? count &+ 3 : rest >= 100 ? count &+ 2 : rest >= 10 ? count &+ 1 : count
  }
}
