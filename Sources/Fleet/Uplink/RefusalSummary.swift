/// What the broker refused, gathered: a broker that refuses everything refuses the news of it, too, and telling of
/// each refusal would never end (fault F66). Pure.
struct RefusalSummary: Sendable {
  struct Entry: Hashable, Sendable {
    /// A row's topic, as an example.
    var topic: String
    /// `quota`, `not-authorised`, `too-large`.
    var kind: String
    var reasonCode: Int
    var reason: String
    /// How many rows since it was reported last.
    var rows: Int
  }

  /// How often each kind is reported, at most.
  static let period = Duration.seconds(60)

  /// How many topics are named of those that are refused at present.
  static let mostTopics = 20

  /// Topics whose latest message was refused; the first few.
  private(set) var topics: [String] = []
  /// Why the broker refused the latest message; nil while it refuses none.
  var reason: String? { topics.isEmpty ? nil : latest }
  private var latest: String?
  private var gathered: [String: Entry] = [:]
  private var reported: [String: Duration] = [:]

  /// Takes a refused row. Returns what is to be reported now, if anything.
  mutating func refused(_ row: RefusedRow, at now: Duration) -> Entry? {
    latest = row.reason
    let rows = (gathered[row.kind]?.rows ?? 0) + 1
    gathered[row.kind] = Entry(
      topic: row.topic, kind: row.kind, reasonCode: row.reasonCode, reason: row.reason, rows: rows)
    return take(row.kind, at: now)
  }

  /// The broker refuses or takes what goes to a topic. Returns whether other topics are named by now.
  mutating func note(_ topic: String, isRefused: Bool) -> Bool {
    switch (topics.firstIndex(of: topic), isRefused) {
    case (nil, true) where topics.count < Self.mostTopics:
      topics.append(topic)
      return true
    case (let index?, false):
      topics.remove(at: index)
      return true
    default: return false
    }
  }

  /// Nothing that was refused is left. Returns whether something was named.
  mutating func clear() -> Bool {
    defer { topics = [] }
    return !topics.isEmpty
  }

  /// What was gathered long enough.
  mutating func due(at now: Duration) -> [Entry] { gathered.keys.sorted().compactMap { take($0, at: now) } }

  private mutating func take(_ kind: String, at now: Duration) -> Entry? {
    if let last = reported[kind], now - last < Self.period { return nil }
    guard let entry = gathered.removeValue(forKey: kind) else { return nil }
    reported[kind] = now
    return entry
  }
}
