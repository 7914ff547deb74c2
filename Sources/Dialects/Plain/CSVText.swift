/// Text as a field of CSV that programs and spreadsheets read alike, whatever a name holds (fault F231).
package enum CSVText {
  /// With what a spreadsheet begins a formula.
  private static let formulas: Set<Unicode.Scalar> = ["=", "+", "-", "@"]
  /// What would end a field, and what readers take for the beginning of a comment.
  private static let special: Set<Unicode.Scalar> = [",", "\"", "#"]

  /// The field. A row is one line: what breaks lines, and all other control characters, become `_`. What would be a
  /// formula has an apostrophe before it. Numbers are not for this function.
  package static func field(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    if let first = text.unicodeScalars.first, formulas.contains(first) { scalars.append("'") }
    var isQuoted = text.first == " " || text.last == " "
    for scalar in text.unicodeScalars {
      if special.contains(scalar) { isQuoted = true }
      if scalar == "\"" { scalars.append(scalar) }
      scalars.append(breaksLines(scalar) ? "_" : scalar)
    }
    return isQuoted ? "\"\(String(scalars))\"" : String(scalars)
  }

  private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
