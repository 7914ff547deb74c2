import Foundation

/// The rows of the fault matrix, `deploy/docs/reference/fault-matrix.md`, and what is said to hold each.
struct FaultMatrix {
  enum Holder: String {
    /// A row of `deploy/docs/faults.md`.
    case table
    /// Tests that bear the id.
    case tests
    /// Neither.
    case nothing = "–"
    case notBuilt = "not built"
  }

  let rows: [(id: String, holder: Holder?)]

  init(_ text: String) {
    rows = text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 7, cells[1].wholeMatch(of: /F\d+/) != nil else { return nil }
      return (cells[1], Holder(rawValue: cells[5]))
    }
  }

  /// Rows that say otherwise of what holds them than is true.
  func untrue(table: Set<String>, tests: (String) -> Bool) -> [String] {
    rows.filter { row in
      switch row.holder {
      case .table: !table.contains(row.id)
      case .tests: table.contains(row.id) || !tests(row.id)
      case .nothing, .notBuilt: table.contains(row.id) || tests(row.id)
      case nil: true
      }
    }.map(\.id)
  }
}
