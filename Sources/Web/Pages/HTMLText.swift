import FleetModel

/// HTML in the making: whatever is text is escaped, because names and reasons come over the air and from brokers. Pure.
struct HTMLText: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Markup of ours, which no text from elsewhere may be in.
  mutating func markup(_ markup: StaticString) {
    markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Text from anywhere. What no display shows is shown as an escape.
  mutating func text(_ text: String) { bytes += Self.escaped(text).utf8 }

  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in PrintableText.escaped(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A row of a table: cells of text, where `isTrouble` says so to the eye.
  mutating func row(_ cells: [String], isTrouble: Bool = false) {
    if isTrouble { markup("<tr class=\"trouble\">") } else { markup("<tr>") }
    for cell in cells {
      markup("<td>")
      text(cell)
      markup("</td>")
    }
    markup("</tr>\n")
  }

  /// The beginning of a table, with its heads.
  mutating func table(_ heads: [String]) {
    markup("<table>\n<thead><tr>")
    for head in heads {
      markup("<th scope=\"col\">")
      text(head)
      markup("</th>")
    }
    markup("</tr></thead>\n<tbody>\n")
  }

  mutating func endTable() { markup("</tbody>\n</table>\n") }
}
