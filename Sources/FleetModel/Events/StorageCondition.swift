/// How the gateway's disk is: a lasting field of its health, and the types of the event `storage` (MQTT contract 1.6
/// and 5).
public enum StorageCondition: String, Sendable, CaseIterable, Comparable {
  case fine = "ok"
  /// Another program reads the database and does not end, so that the write-ahead log cannot be folded and grows.
  case beingRead = "being-read"
  /// It takes everything, but only after seconds.
  case slow
  /// Another program holds the database locked.
  case locked
  /// Less is left than is to stay free: no samples and no pages of logs are taken.
  case low
  case full
  case readOnly = "read-only"
  case corrupt

  /// Worse is larger.
  public static func < (left: StorageCondition, right: StorageCondition) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The type of the event that tells of it.
  public var eventType: String { self == .fine ? "recovered" : rawValue }

  /// One sentence for an operator: what it means and what to do.
  public var advice: String {
    switch self {
    case .fine: "the disk accepts all writes"
    case .beingRead:
      "another program reads the gateway's database and does not end, so that its write-ahead log grows: end it"
    case .slow: "the gateway's disk takes seconds for each write: check it, an SD card may be worn out"
    case .locked:
      "another program has locked the gateway's database: end it; samples wait in memory as long as there is room"
    case .low:
      "the gateway's disk is nearly full: free space on it; samples wait in memory and logs stay on the boards"
    case .full: "the gateway cannot store any more: free space on its disk; samples may be lost"
    case .readOnly: "the gateway's disk cannot be written: mount it writable again; samples may be lost"
    case .corrupt: "the gateway's database is damaged: restart the gateway"
    }
  }
}
