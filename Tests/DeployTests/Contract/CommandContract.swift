import FleetModel
import Foundation

/// What `deploy/docs/mqtt-commands.md` says of verbs, read out of its headings, tables and examples.
struct CommandContract {
  /// A line `verb request => reply`.
  struct Example: Sendable, CustomStringConvertible {
    var verb: String
    /// The payload of the request.
    var request: String
    /// What the final reply holds beside what all hold; nil where none is shown.
    var reply: String?
    var section: String
    var description: String { "\(verb) \(request)" }

    /// Whom the section's verbs address.
    var addressee: VerbDefinition.Addressee {
      section == "4.1" ? .gateway : section == "4.3" ? .group : .board
    }
  }

  /// Text of each section by its number.
  let sections: [String: String]

  static let shipped = CommandContract(
    (try? String(
      contentsOf: repository.appending(path: "deploy/docs/mqtt-commands.md"), encoding: .utf8)) ?? "")

  static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init(_ text: String) {
    var sections: [String: String] = [:]
    var number = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let heading = line.prefixMatch(of: /##+ (\d(?:\.\d+)?)\b/) { number = String(heading.1) }
      sections[number, default: ""] += line + "\n"
    }
    self.sections = sections
  }

  /// Sections whose verbs boards take; 3.1 is about all of them, 3.6 about what they do by themselves.
  static let boardSections = ["3.2", "3.3", "3.4", "3.5", "3.7", "3.8", "3.9", "3.10", "3.11"]

  /// Verbs by the section that names them in its heading or in the first column of a table of verbs.
  func verbs(in numbers: [String]) -> [String: String] {
    var verbs: [String: String] = [:]
    for number in numbers {
      for line in lines(of: number) {
        if line.hasPrefix("### 3") { for name in names(in: line) { verbs[name] = number } }
      }
      for row in rows(of: number, under: "verb") { for name in names(in: row[0]) { verbs[name] = number } }
    }
    return verbs
  }

  /// The rows of the tables whose first column has that title, as cells.
  func rows(of number: String, under title: String) -> [[String]] {
    var isInside = false
    var rows: [[String]] = []
    for line in lines(of: number) {
      guard line.hasPrefix("|") else {
        isInside = false
        continue
      }
      let cells = line.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.first?.replacing("`", with: "") == title {
        isInside = true
      } else if isInside, cells.first?.hasPrefix("--") == false {
        rows.append(cells)
      }
    }
    return rows
  }

  /// The arguments a row of a table of verbs lists: name, and whether it is marked as required.
  static func arguments(in cell: String) -> [(name: String, isRequired: Bool)] {
    // What stands in parentheses or braces is about an argument, not one.
    let plain = cell.replacing(/\([^()]*\)/, with: "").replacing(/\{[^{}]*\}/, with: "")
    return plain.split(separator: ";").flatMap { $0.split(separator: ", ") }.compactMap { item in
      let item = item.trimmingCharacters(in: .whitespaces).replacing("at least one of ", with: "")
      guard let name = item.prefixMatch(of: /`([a-z][a-z0-9_]*)`/) else { return nil }
      return (String(name.1), item.contains(/\bR\b/))
    }
  }

  /// All examples.
  var examples: [Example] {
    sections.keys.sorted().flatMap { number -> [Example] in
      var isInside = false
      return lines(of: number).compactMap { line in
        if line.hasPrefix("```") {
          isInside = line == "```text"
          return nil
        }
        guard isInside, let space = line.firstIndex(of: " ") else { return nil }
        let rest = line[line.index(after: space)...]
        let arrow = rest.firstRange(of: " => ")
        return Example(
          verb: String(line[..<space]), request: String(rest[..<(arrow?.lowerBound ?? rest.endIndex)]),
          reply: arrow.map { String(rest[$0.upperBound...]) }, section: number)
      }
    }
  }

  private func lines(of number: String) -> [Substring] { (sections[number] ?? "").split(separator: "\n") }

  private func names(in text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([a-z0-9-]+)`/).map { String($0.1) }
  }
}
