/// What keys mean on every screen with a list: typing a text to look for, scrolling, leaving. Pure.
struct ListKeys: Hashable, Sendable {
  enum Meaning: Hashable, Sendable {
    /// Somebody leaves.
    case leave
    /// It was done here.
    case done
    /// Something of the screen itself.
    case other
  }

  var position = ListPosition()
  private(set) var typed = TypedText()

  /// Takes a key.
  mutating func press(_ key: TerminalKey) -> Meaning {
    if key == .interrupt { return .leave }
    if typed.press(key) {
      position.rewind()
      return .done
    }
    if position.press(key) { return .done }
    switch key {
    case .character("q"), .character("Q"): return .leave
    case .character("/"):
      typed.begin()
      return .done
    default: return .other
    }
  }

  /// All is listed again.
  mutating func forgetText() { typed = TypedText() }
}
