package import FleetModel

/// A whole script: what happens when, or every line that cannot be read.
package struct FaultScript: Hashable, Sendable {
  /// In the order of the lines.
  package private(set) var orders: [FaultOrder] = []
  /// `line 3: …`, one for each line that cannot be read.
  package private(set) var problems: [String] = []

  package init(_ text: String, boards: [BluetoothAddress]) {
    var previous = Duration.zero
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      do throws(FaultProblem) {
        guard let order = try FaultLine.parse(String(line), boards: boards)?.order(after: previous) else {
          continue
        }
        previous = order.at
        orders.append(order)
      } catch {
        problems.append("line \(index + 1): \(error.sentence)")
      }
    }
  }
}
