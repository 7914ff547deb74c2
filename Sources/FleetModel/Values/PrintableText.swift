/// Text from the air or from a broker as people may be shown it (faults F85 and F89).
package enum PrintableText {
  /// Whether a display shows the scalar and does nothing else: no control, format or bidirectional characters.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// The text with what is not printable escaped.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { !isPrintable($0) }) else { return text }
    return text.unicodeScalars.map { isPrintable($0) ? String($0) : $0.escaped(asASCII: true) }.joined()
  }

  /// Whether a display shows something: a name of blanks, control characters or marks alone is none.
  package static func isVisible(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      let properties = scalar.properties
      return isPrintable(scalar) && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
        && ![.nonspacingMark, .enclosingMark].contains(properties.generalCategory)
    }
  }

  /// The text between quotation marks, bounded, with what is not printable escaped.
  package static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.prefix(60).map { isPrintable($0) ? String($0) : $0.escaped(asASCII: true) }.joined()
    return "\"" + shown + (scalars.count > 60 ? "…" : "") + "\""
  }
}
