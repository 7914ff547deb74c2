/// The words of a command line that is being typed, as a shell hands them over.
///
/// bash splits words at `:` and `=`, and hands over the pieces; what it wants back goes in place of the last of them.
struct CompletionLine: Hashable, Sendable {
  /// The words without quotes, the unfinished one left out.
  let words: [String]
  /// The unfinished word as far as the cursor.
  let unfinished: String
  /// How many characters of it stay whatever is chosen.
  private let kept: Int

  private static let breaks: Set<Character> = [":", "="]

  /// Takes what a shell tells: its words, which of them is unfinished, and how much of that stands before the cursor.
  init(_ pieces: [String], at index: Int, before prefix: String) {
    var joined: [(text: String, count: Int)] = []
    var unfinished = ""
    var isSplit = false
    var isOpen = false
    for (number, piece) in pieces.enumerated() where number <= index {
      let text = Self.plain(number == index ? prefix : piece)
      let isBreak = !piece.isEmpty && piece.allSatisfy(Self.breaks.contains)
      if (isBreak || isOpen) && !joined.isEmpty {
        joined[joined.count - 1].text += text
        joined[joined.count - 1].count += 1
      } else {
        joined.append((text, 1))
      }
      isOpen = isBreak
      if number == index {
        unfinished = joined.last?.text ?? ""
        isSplit = (joined.last?.count ?? 1) > 1
      }
    }
    words = joined.dropLast().map(\.text)
    self.unfinished = unfinished
    let end = unfinished.lastIndex(where: Self.breaks.contains)
    kept = isSplit ? end.map { unfinished.distance(from: unfinished.startIndex, to: $0) + 1 } ?? 0 : 0
  }

  /// What the shell shall be offered of these whole words.
  func offers(of candidates: [String]) -> [String] {
    candidates.filter { $0.hasPrefix(unfinished) }.map { String($0.dropFirst(kept)) }
  }

  /// Without quotes and the backslashes that protect characters.
  private static func plain(_ word: String) -> String {
    var text = ""
    var isProtected = false
    for character in word {
      if isProtected || !"\\\"'".contains(character) {
        text.append(character)
        isProtected = false
      } else {
        isProtected = character == "\\"
      }
    }
    return text
  }
}
