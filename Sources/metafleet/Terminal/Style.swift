/// How text looks on a terminal that has colours.
enum Style: String, Sendable {
  case good = "32"
  case warning = "33"
  case bad = "31"
  case dim = "2"
  case bold = "1"

  func apply(to text: String) -> String { text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
