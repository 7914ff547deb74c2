import Simulator

/// What people are told about fault scripts; the document about the simulator shows the same.
enum FaultHelp {
  /// Every command and what it does.
  static var commands: String {
    FaultVerb.allCases.map { "  \($0.form)\n      \($0.meaning)" }.joined(separator: "\n")
  }

  static var text: String {
    """
    Faults come from --script FILE and, while it runs, from standard input, one on each line:
      [at TIME | after TIME] COMMAND [for TIME]   # comment
    "at" counts from the start, "after" from the line before, on standard input from now. BOARDS are numbers, ranges \
    and addresses with commas between, such as 1,4-6, or all. "for" makes good what lasts; so do heal and back.

    \(commands)
    """
  }
}
