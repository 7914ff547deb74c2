/// The version of a build in the vendor's index: numbers between dots, compared as numbers (protocol reference,
/// section 33), and maybe something behind them that marks a preview, such as `2.0.0-beta`.
package struct BuildVersion: Sendable, CustomStringConvertible {
  /// As it was written, which is part of the address of a build's file.
  package let text: String
  /// Without zeros at the end: 1.5 is 1.5.0.
  private let numbers: [Int]
  private let mark: String

  /// Bytes; the vendor's have at most 10.
  private static let longest = 32

  /// nil when it does not begin with a number, or contains what no version has.
  package init?(_ text: String) {
    let start = text.prefix { "0"..."9" ~= $0 || $0 == "." }
    let mark = text.dropFirst(start.count)
    guard text.utf8.count <= Self.longest,
      mark.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") })
    else { return nil }
    var numbers: [Int] = []
    for part in start.split(separator: ".", omittingEmptySubsequences: false) {
      guard let number = Int(part) else { return nil }
      numbers.append(number)
    }
    while numbers.last == 0 { numbers.removeLast() }
    self.text = text
    self.numbers = numbers
    self.mark = String(mark)
  }

  /// Whether it is meant for everybody: nothing stands behind the numbers.
  package var isRelease: Bool { mark.isEmpty }

  package var description: String { text }
}

extension BuildVersion: Hashable, Comparable {
  package static func == (left: BuildVersion, right: BuildVersion) -> Bool {
    left.numbers == right.numbers && left.mark == right.mark
  }

  /// A preview comes before its release.
  package static func < (left: BuildVersion, right: BuildVersion) -> Bool {
    if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
    return left.mark.isEmpty || right.mark.isEmpty
      ? !left.mark.isEmpty && right.mark.isEmpty : left.mark < right.mark
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
    hasher.combine(mark)
  }
}
