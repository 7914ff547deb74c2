package import FleetModel

/// Which boards a fault concerns, as a script says it: `all`, or numbers, ranges and addresses with commas between,
/// such as `1,4-6,C0:FF:EE:00:00:09`.
package enum BoardSelection {
  /// The boards in the order of their numbers, each once; board n is the n-th of `boards`.
  package static func parse(
    _ text: String, of boards: [BluetoothAddress]
  ) throws(FaultProblem) -> [BluetoothAddress] {
    if text == "all" { return boards }
    var chosen: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let numbers = numbers(String(part), of: boards) else {
        throw FaultProblem(
          "\"\(PrintableText.escaped(String(part)))\" names no board; there are 1 to \(boards.count), as in 1,3-5, by address, or all"
        )
      }
      chosen.formUnion(numbers)
    }
    return chosen.sorted().map { boards[$0] }
  }

  /// Positions in `boards`; nil for what is neither a number, nor a range, nor an address of one of them.
  private static func numbers(_ part: String, of boards: [BluetoothAddress]) -> ClosedRange<Int>? {
    if let address = BluetoothAddress(part), let index = boards.firstIndex(of: address) {
      return index...index
    }
    let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
      (1...max(1, boards.count)).contains(first), first <= last, last <= boards.count
    else { return nil }
    return first - 1...last - 1
  }
}

/// Why a line of a script is none: one sentence that says what is expected.
package struct FaultProblem: Error, Hashable, Sendable {
  package let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}
