/// A mutation of `Tests/Mutations`: what it takes away, the tests that must fail then, and what text of which file is
/// replaced by what.
struct NamedEdit {
  struct Group {
    let file: String
    var text: [Substring] = []
    var replacement: [Substring] = []

    /// How often the text stands in these lines.
    func occurrences(in content: String) -> Int {
      let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
      guard !text.isEmpty, lines.count >= text.count else { return 0 }
      return (0...(lines.count - text.count)).count { lines[$0..<($0 + text.count)].elementsEqual(text) }
    }
  }

  private(set) var headers: [Substring: String] = [:]
  private(set) var groups: [Group] = []
  /// Lines that are none of an edit.
  private(set) var strays: [Substring] = []

  init(_ text: String) {
    var part: WritableKeyPath<Group, [Substring]>?
    for line in text.split(separator: "\n") {
      let key = line.prefix { $0 != ":" }
      let value = String(line.dropFirst(key.count + 2))
      switch key {
      case "Text" where !groups.isEmpty: part = \.text
      case "Replacement" where !groups.isEmpty: part = \.replacement
      case "File":
        groups.append(Group(file: value))
        part = nil
      case "Row", "Protection", "Fails": headers[key] = value
      default:
        if line.hasPrefix("|"), let part {
          groups[groups.count - 1][keyPath: part].append(line.dropFirst())
        } else {
          strays.append(line)
        }
      }
    }
  }

  /// Why it can no longer be made; `content` gives the text of a file.
  func trouble(_ content: (String) -> String) -> [String] {
    var found = strays.map { "this line is none of an edit: \($0)" }
    found += ["Row", "Protection", "Fails"].filter { headers[$0[...]] == nil }.map { "\($0) is missing" }
    if groups.isEmpty { found.append("it changes no file") }
    for group in groups {
      let count = group.occurrences(in: content(group.file))
      if count != 1 {
        found.append("stands \(count) times in \(group.file): \(group.text.first ?? "")")
      }
      if group.text == group.replacement { found.append("changes nothing in \(group.file)") }
    }
    return found
  }
}
