extension String {
  /// Whether C would take only a part of it for the whole.
  var hasNUL: Bool {
    var text = self
    return text.withUTF8 { $0.contains(0) }
  }
}
