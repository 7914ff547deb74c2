/// Whether a terminal shows the scalar and does nothing else: no control, format or bidirectional characters.
func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
  default: true
  }
}

/// Text from the air or from a broker as a terminal may see it: what is not printable is escaped (fault F89).
func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: { !isPrintable($0) }) else { return text }
  return text.unicodeScalars.map { isPrintable($0) ? String($0) : $0.escaped(asASCII: true) }.joined()
}
