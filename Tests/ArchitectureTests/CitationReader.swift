/// Finds what a text cites. A section without a document is one of the document that the text named before it, and in a
/// document one of its own.
struct CitationReader {
  private(set) var citations: [Citation] = []
  private let words: [String]
  private let own: ReferenceDocument?
  /// Whether `S14` means section 14 of the protocol reference here: in the table of faults, and in mutations of its
  /// rows.
  private let hasSectionRows: Bool
  /// What was named last.
  private var named = Naming.nothing
  private var place = 0

  private enum Naming {
    case nothing
    case ours(ReferenceDocument)
    /// A standard, or a book.
    case foreign
  }

  /// The section of the fault matrix that holds the escalation ladder.
  private static let ladder = "4"
  private static let rows: [(letter: Unicode.Scalar, digits: ClosedRange<Int>)] = [
    ("D", 2...2), ("F", 2...3), ("I", 1...2), ("T", 2...2), ("U", 1...2),
  ]
  private static let entryWords: Set<String> = [
    "index", "item", "items", "register", "row", "rows", "type",
  ]

  init(_ text: String, at path: String) {
    words = Prose.words(in: text)
    own = ReferenceDocument(of: path)
    hasSectionRows = path.hasSuffix(".edit") || path == "deploy/docs/faults.md"
    while place < words.count { read() }
  }

  /// The word so far behind this one; empty beyond the end.
  private func word(_ offset: Int) -> String {
    words.indices.contains(place + offset) ? words[place + offset] : ""
  }

  private mutating func read() {
    let word = words[place]
    defer { place += 1 }
    if let document = ReferenceDocument(namedIn: words, endingAt: place) {
      named = .ours(document)
      readSections(of: document, from: place + (self.word(1) == "'" ? 3 : 1))
    } else if isForeign(word) {
      named = .foreign
      // The version of a standard is no section.
      place += 1
    } else if Self.isSectionWord(word) {
      readBareSections()
    } else if word == "rung", [self.word(-1), self.word(-2)].contains("ladder"), Self.isNumber(self.word(1)) {
      citations.append(.entry(self.word(1), section: Self.ladder, .faultMatrix))
    } else if Self.rows.contains(where: { Self.isID(word, $0.letter, $0.digits) }) {
      citations.append(.row(word))
    } else if hasSectionRows, Self.isID(word, "S", 2...2) {
      citations.append(.section(String(Int(word.dropFirst()) ?? 0), .protocolReference))
    }
  }

  private static func isID(_ word: String, _ letter: Unicode.Scalar, _ digits: ClosedRange<Int>) -> Bool {
    word.utf8.first == UInt8(ascii: letter) && digits.contains(word.utf8.count - 1)
      && word.utf8.dropFirst().allSatisfy(isDigit)
  }

  private static func isSectionWord(_ word: String) -> Bool {
    word == "section" || word == "sections" || word == "Section" || word == "Sections"
  }

  /// Standards by their version, books by their year.
  private func isForeign(_ word: String) -> Bool {
    if word == "MQTT" { return self.word(1) == "5" || self.word(1) == "3.1.1" }
    return word.utf8.count == 4 && Int(word) != nil && self.word(1) == "," && self.word(2) == "section"
  }

  /// The word "sections" and numbers, perhaps with the document behind them.
  private mutating func readBareSections() {
    let (numbers, end) = numbers(from: place + 1)
    guard !numbers.isEmpty else { return }
    place = end - 1
    if let document = documentNamed(behind: end) ?? own { return cite(numbers, of: document, upTo: end) }
    switch named {
    case .ours(let document): cite(numbers, of: document, upTo: end)
    case .foreign: break
    case .nothing: for number in numbers { citations.append(.section(number, nil)) }
    }
  }

  /// The document in "of the …" at `start`.
  private func documentNamed(behind start: Int) -> ReferenceDocument? {
    guard words.indices.contains(start), words[start] == "of" else { return nil }
    let names = (start + 1..<min(start + 5, words.count)).lazy
    return names.compactMap { ReferenceDocument(namedIn: words, endingAt: $0) }.first
  }

  /// What follows a document's name: numbers, perhaps with the word "section" before them, or nothing.
  private mutating func readSections(of document: ReferenceDocument, from start: Int) {
    var next = start
    if words.indices.contains(next), words[next] == "," { next += 1 }
    if words.indices.contains(next), Self.isSectionWord(words[next]) {
      next += 1
    } else if next > start {
      return
    }
    let (numbers, end) = numbers(from: next)
    guard !numbers.isEmpty else { return }
    place = end - 1
    cite(numbers, of: document, upTo: end)
  }

  /// Notes sections, and what is named below the last of them: items by their numbers, a type by its code.
  private mutating func cite(_ sections: [String], of document: ReferenceDocument, upTo end: Int) {
    for section in sections { citations.append(.section(section, document)) }
    guard let section = sections.last, end + 2 < words.count, words[end] == ",",
      Self.entryWords.contains(words[end + 1])
    else { return }
    let (numbers, last) = numbers(from: end + 2)
    for name in numbers.isEmpty ? [words[end + 2]] : numbers {
      citations.append(.entry(name, section: section, document))
    }
    place = max(end + 2, last - 1)
  }

  /// The numbers that are listed from `start` on, and the place behind them.
  private func numbers(from start: Int) -> (numbers: [String], end: Int) {
    var found: [String] = []
    var next = start
    while words.indices.contains(next), Self.isNumber(words[next]) {
      found.append(words[next])
      guard next + 1 < words.count, [",", "and", "to", "–"].contains(words[next + 1]) else {
        return (found, next + 1)
      }
      next += 2
    }
    return (found, found.isEmpty ? start : next - 1)
  }

  /// `26` or `26.2`.
  private static func isNumber(_ word: String) -> Bool {
    word.utf8.first.map(isDigit) == true && word.utf8.allSatisfy { $0 == UInt8(ascii: ".") || isDigit($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
