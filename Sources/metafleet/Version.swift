import CBuild

/// Which program this is.
enum Version {
  /// As the gateway's `info` says it.
  static let text = "1.0.0"

  /// As `--version` says it: with the commit it was built from, where that is known; `+` behind it: with files changed
  /// since.
  static let full = full(of: String(cString: build_commit()))

  static func full(of commit: String) -> String {
    guard !commit.isEmpty else { return text }
    let isChanged = commit.last == "+"
    return "\(text) (\(commit.prefix { $0 != "+" }.prefix(12))\(isChanged ? "+" : ""))"
  }
}
