/// One Swift file: where it is, what it says, and its code alone.
struct SourceFile: Sendable {
  /// Relative to the repository's root.
  let path: String
  let text: String
  let code: [Token]
  /// Where each word and sign stands in `code`.
  private let positions: [String: [Int]]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = Tokenizer.tokens(of: text)
    positions = Dictionary(grouping: code.indices) { [code] in code[$0].text }
  }

  /// The target it belongs to: `Fleet` of `Sources/Fleet/Gateway.swift`.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// Its name without `.swift`; a module holds a name only once.
  var name: String { String((path.split(separator: "/").last ?? "").dropLast(".swift".count)) }

  /// The name before a `+`: what the file is about.
  var subject: String { String(name.prefix { $0 != "+" }) }

  /// What its literals say.
  var literals: [String] { Tokenizer.literals(of: text) }

  /// Where `word` stands in its code.
  func positions(of word: String) -> [Int] { positions[word] ?? [] }

  /// How often these follow each other in its code.
  func count(of first: String, _ others: String...) -> Int {
    positions(of: first).count { start in
      others.indices.allSatisfy { token(start + 1 + $0)?.text == others[$0] }
    }
  }

  /// How many words and signs are as `condition` wants.
  func count(where condition: (String) -> Bool) -> Int {
    positions.reduce(0) { condition($1.key) ? $0 + $1.value.count : $0 }
  }

  /// The token at `index`; nil beyond either end.
  func token(_ index: Int) -> Token? { code.indices.contains(index) ? code[index] : nil }
}
