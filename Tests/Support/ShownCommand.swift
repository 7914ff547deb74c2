/// A command that a document shows: in a fenced block of shell, or between backquotes where it begins with `metafleet`.
///
/// Its words, without quotes, comments, redirections, and what is only put in front: `sudo`, `env`, variables.
package struct ShownCommand: Hashable, Sendable, CustomStringConvertible {
  package let words: [String]

  package init(_ words: [String]) { self.words = words }

  package var program: String { words.first ?? "" }
  package var description: String { words.joined(separator: " ") }

  /// All of a text in Markdown.
  package static func all(in document: String) -> [ShownCommand] {
    var found: [ShownCommand] = []
    var language: Substring?
    var script: [Substring] = []
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if language == nil {
          language = line.dropFirst(3)
        } else {
          if language == "sh" { found += commands(in: script) }
          (language, script) = (nil, [])
        }
      } else if language != nil {
        script.append(line)
      } else {
        let quoted = line.matches(of: /`(metafleet [^`]+)`/).map(\.1)
        found += quoted.flatMap { ShellLine.commands(in: String($0)) }
      }
    }
    return found
  }

  /// Those of a script's lines; a backslash at the end goes on with the next line, and what is written into a file by
  /// `<<` is none.
  private static func commands(in script: [Substring]) -> [ShownCommand] {
    var found: [ShownCommand] = []
    var begun = ""
    var ending: String?
    for line in script {
      if let end = ending {
        if line == end { ending = nil }
        continue
      }
      if line.hasSuffix("\\") {
        begun += line.dropLast() + " "
        continue
      }
      let whole = begun + line
      begun = ""
      found += ShellLine.commands(in: whole)
      ending = whole.firstMatch(of: /<<\s*'?(\w+)'?/).map { String($0.1) }
    }
    return found
  }
}

/// One line of shell, taken apart as far as documents need it.
private struct ShellLine {
  private var commands: [[String]] = [[]]
  private var word: String?
  private var quote: Character?
  /// How deep in `$(…)`.
  private var depth = 0
  /// The next word is a file that is read or written.
  private var isFile = false

  static func commands(in text: String) -> [ShownCommand] {
    var line = ShellLine()
    for character in text where !line.take(character) { break }
    line.endWord()
    return line.commands.compactMap(stripped)
  }

  /// Takes one character; false where a comment begins.
  private mutating func take(_ character: Character) -> Bool {
    if let quote {
      if character == quote { self.quote = nil } else { word?.append(character) }
    } else if depth > 0 || character == "(" && word?.hasSuffix("$") == true {
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      word?.append(character)
    } else if character == "'" || character == "\"" {
      quote = character
      word = word ?? ""
    } else if character.isWhitespace {
      endWord()
    } else if character == "#", word == nil {
      return false
    } else if "<>".contains(character) {
      // A number in front says which file it is.
      if word?.allSatisfy(\.isNumber) == true { word = nil }
      endWord()
      isFile = true
    } else if "|&;".contains(character) {
      endWord()
      commands.append([])
    } else {
      word = (word ?? "") + String(character)
    }
    return true
  }

  private mutating func endWord() {
    guard let word else { return }
    if !isFile { commands[commands.count - 1].append(word) }
    (self.word, isFile) = (nil, false)
  }

  private static let before: Set<String> = ["sudo", "env", "exec", "do", "until"]

  private static func stripped(_ words: [String]) -> ShownCommand? {
    let rest = words.drop {
      before.contains($0) || $0.hasPrefix("$(") || $0.prefixMatch(of: /\w+=/) != nil
    }
    return rest.isEmpty ? nil : ShownCommand(Array(rest))
  }
}
