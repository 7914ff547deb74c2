/// A revision as device information shows it: numbers with points between, compared number by number.
package struct FirmwareRevision: Sendable, Hashable, Comparable, CustomStringConvertible {
  private let numbers: [Int]

  init(_ numbers: [Int]) { self.numbers = numbers }

  /// Nil for anything but numbers with points between.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(part) : nil
    }
    let numbers = parts.compactMap { $0 }
    guard numbers.count == parts.count, numbers.count > 1 else { return nil }
    self.numbers = numbers
  }

  package var description: String { numbers.map(String.init).joined(separator: ".") }

  /// The next one, which nobody asked for.
  var successor: FirmwareRevision { FirmwareRevision(numbers.dropLast() + [(numbers.last ?? 0) + 1]) }

  package static func < (one: FirmwareRevision, other: FirmwareRevision) -> Bool {
    for index in 0..<max(one.numbers.count, other.numbers.count) {
      let (first, second) = (one.number(index), other.number(index))
      if first != second { return first < second }
    }
    return false
  }

  package static func == (one: FirmwareRevision, other: FirmwareRevision) -> Bool {
    !(one < other) && !(other < one)
  }

  package func hash(into hasher: inout Hasher) {
    for number in numbers.reversed().drop(while: { $0 == 0 }) { hasher.combine(number) }
  }

  private func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }

  /// The first text of three numbers in an image, as firmware has one for its device information.
  static func found(in image: [UInt8]) -> FirmwareRevision? {
    let texts = image.split {
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) && $0 != UInt8(ascii: ".")
    }
    return texts.lazy.filter { (5...11).contains($0.count) }
      .compactMap { FirmwareRevision(String(decoding: $0, as: UTF8.self)) }.first { $0.numbers.count == 3 }
  }
}
