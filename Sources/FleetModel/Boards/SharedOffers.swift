import Synchronization

/// Lists of streams on offer, one for all boards that offer the same: a list takes more memory than all else that is
/// known of a board, and there are only as many different ones as kinds of boards. One instance per gateway.
public final class SharedOffers: Sendable {
  /// How many lists are remembered; a board of a further kind makes the oldest forgotten, and whoever holds it keeps
  /// it.
  static let limit = 16

  private let lists = Mutex<[[BoardDescription.Stream]]>([])

  /// Without a list.
  public init() {}

  /// The same description, whose list is the one that others hold already if it is equal to theirs.
  public func sharing(_ description: BoardDescription) -> BoardDescription {
    var description = description
    description.streams = lists.withLock { lists in
      if let known = lists.first(where: { $0 == description.streams }) { return known }
      if lists.count == Self.limit { lists.removeFirst() }
      lists.append(description.streams)
      return description.streams
    }
    return description
  }
}
