/// A line that somebody types at the bottom of a screen. Pure.
struct TypedText: Hashable, Sendable {
  private(set) var text = ""
  private(set) var isTyping = false

  mutating func begin() { isTyping = true }

  /// Takes a key while somebody types: Enter keeps the text, Escape empties it. False for keys that mean something
  /// else.
  mutating func press(_ key: TerminalKey) -> Bool {
    guard isTyping else { return false }
    switch key {
    case .character(let character): text.append(character)
    case .backspace: if !text.isEmpty { text.removeLast() }
    case .enter: isTyping = false
    case .escape: self = TypedText()
    default: return false
    }
    return true
  }
}
