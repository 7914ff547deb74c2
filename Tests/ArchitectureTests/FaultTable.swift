/// The tables of `deploy/docs/faults.md`: row of the fault matrix (`F01`), trap (`T01`) or section (`S01`) of the
/// protocol reference, fault (`D01`) or invariant (`U1`) of the DFU reference → protection → tests → mutations.
struct FaultTable {
  struct Row {
    let id: String
    let tests: [String]
    let mutations: [String]
  }

  /// The rows of the first fault matrix that must be there; those found since, from F104 on, follow in order.
  static let expected =
    (1...12).map { $0 < 10 ? "F0\($0)" : "F\($0)" } + [
      "F18", "F20", "F22", "F24", "F25", "F26", "F27", "F28", "F31", "F32", "F33", "F34", "F35", "F36", "F37",
      "F38", "F39", "F40", "F41", "F42", "F43", "F44", "F45", "F46", "F47", "F48", "F49", "F50", "F51", "F52",
      "F53", "F54", "F55",
      "F56",
      "F57", "F60", "F61", "F62", "F63", "F64", "F65", "F66", "F67", "F68", "F69", "F70", "F72", "F74", "F75",
      "F80",
      "F81",
      "F82", "F83", "F84", "F85", "F86", "F87", "F89", "F90", "F91", "F92", "F93", "F94", "F95", "F96", "F97",
      "F98", "F99",
    ]

  let rows: [Row]

  init(_ text: String) {
    rows = text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 6, let id = cells[1].firstMatch(of: /[DFSTU]\d+/) else { return nil }
      return Row(id: String(id.0), tests: Self.quoted(cells[3]), mutations: Self.quoted(cells[4]))
    }
  }

  private static func quoted(_ cell: Substring) -> [String] {
    cell.matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  /// Whether `test`, as `Suite/function`, stands in one of these files.
  static func exists(_ test: String, in files: [SourceFile]) -> Bool {
    let parts = test.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return false }
    return files.contains { $0.name == parts[0] && !$0.positions(of: "`\(parts[1])`").isEmpty }
  }
}
