/// What can be cited: numbered headings of the reference's documents, what is numbered below them, and rows with an id.
struct CitationTargets {
  private var entries: [ReferenceDocument: [String: Set<String>]] = [:]
  private var rows: Set<String> = []
  /// What is defined more than once.
  private(set) var repeated: [String] = []

  /// Reads documents by their paths.
  init(_ texts: [String: String]) {
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
      guard let document = ReferenceDocument(of: path) else { continue }
      var section = ""
      for line in text.split(separator: "\n") { read(line, of: document, in: &section) }
    }
  }

  private mutating func read(_ line: Substring, of document: ReferenceDocument, in section: inout String) {
    if let heading = line.firstMatch(of: /^###? (\d+(?:\.\d+)*)[. ]/) {
      section = String(heading.1)
      if entries[document]?[section] != nil {
        repeated.append("section \(section) of the \(document.rawValue)")
      }
      entries[document, default: [:]][section] = []
    } else if let row = line.firstMatch(of: /^\| ([DFITU]\d+) \|/) {
      let isNew = rows.insert(String(row.1)).inserted
      if !isNew { repeated.append(String(row.1)) }
    } else if let entry = line.firstMatch(of: /^(?:\| (\w+) \||#### (\w+) |(\w+)\. )/) {
      entries[document]?[section]?.insert(String(entry.1 ?? entry.2 ?? entry.3 ?? ""))
    }
  }

  /// Whether there is one.
  func contain(_ citation: Citation) -> Bool {
    switch citation {
    case .section(let number, let document): document.map { entries[$0]?[number] != nil } ?? false
    case .entry(let name, let section, let document): entries[document]?[section]?.contains(name) ?? false
    case .row(let id): rows.contains(id)
    }
  }
}
