import FleetModel
import Storage

/// Whether the store takes what must be kept, and what is told of it: once when a spell of refusals begins, once when it is
/// over, however many are refused meanwhile (fault F90). Pure.
struct StorageSpell: Hashable, Sendable {
  /// Who was refused.
  enum Part: Hashable, Sendable {
    /// Messages on their way out.
    case outbox
    /// A page of this board's log.
    case log(of: BoardID)
  }

  private var refused: Set<Part> = []

  /// Whether anything is refused.
  var isOn: Bool { !refused.isEmpty }

  /// A part was refused because of `failure`, or was taken again. Returns the event's type when that is worth an event.
  mutating func note(_ part: Part, _ failure: StoreFailure?) -> String? {
    // A fault of ours says nothing about the disk.
    if case .misuse = failure { return nil }
    let was = isOn
    if failure != nil { refused.insert(part) } else { refused.remove(part) }
    guard was != isOn else { return nil }
    switch failure {
    case nil: return "recovered"
    case .readOnly: return "read-only"
    case .corrupt: return "corrupt"
    case .full, .io, .taken, .newer, .misuse: return "full"
    }
  }
}
