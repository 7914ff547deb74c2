/// Whether everything that must go on has gone on since the watchdog was last fed (fault F98). Pure.
struct ProgressProof: Hashable, Sendable {
  /// What goes on by itself, and may stand still by itself.
  enum Part: String, Hashable, Sendable, CaseIterable {
    /// What boards send: the radio's thread, and the gateway that it is handed to.
    case ingest
    /// The broker's thread, and the uplink that publishes on it.
    case uplink
    /// The disk's thread, and the database.
    case storage
  }

  private var turned: Set<Part> = []

  /// A part has gone once around, with work or without.
  mutating func turn(_ part: Part) { turned.insert(part) }

  /// Whether every part has gone around since this was last true; then each has to do so anew.
  mutating func take() -> Bool {
    guard Part.allCases.allSatisfy(turned.contains) else { return false }
    turned = []
    return true
  }
}
