import Simulator

/// What people are told about scripts; the document about the simulator shows the same.
enum FaultHelp {
  /// Every command for what goes wrong, and what it does.
  static var faults: String { list(FaultVerb.allCases.map { ($0.form, $0.meaning) }) }

  /// Every command for what somebody does with boards.
  static var stimuli: String { list(StimulusVerb.allCases.map { ($0.form, $0.meaning) }) }

  static var text: String {
    """
    What somebody does with boards, and what goes wrong, comes from --script FILE and, while it runs, from standard \
    input, one on each line:
      [at TIME | after TIME] COMMAND [for TIME]   # comment
    "at" counts from the start, "after" from the line before, on standard input from now. BOARDS are numbers, ranges \
    and addresses with commas between, such as 1,4-6, or all. "for" ends what lasts; so do release, heal and back.

    \(stimuli)

    \(faults)
    """
  }

  private static func list(_ commands: [(form: String, meaning: String)]) -> String {
    commands.map { "  \($0.form)\n      \($0.meaning)" }.joined(separator: "\n")
  }
}
