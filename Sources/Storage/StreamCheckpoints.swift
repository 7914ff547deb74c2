package import FleetModel

/// Sessions of streams that began and ended and of which the disk does not know yet. Pure.
package struct StreamCheckpoints: Hashable, Sendable {
  private(set) var begun: [OpenStream] = []
  private(set) var ended: [ULID] = []

  package init() {}

  /// Whether the disk knows all.
  package var isEmpty: Bool { begun.isEmpty && ended.isEmpty }

  /// Takes note of a mark.
  package mutating func note(_ mark: StreamCheckpoint) {
    switch mark {
    case .began(let stream): begun.append(stream)
    case .ended(let session):
      begun.removeAll { $0.session == session }
      ended.append(session)
    }
  }

  /// Takes what may go to the disk: no end of a session in `waiting`, of which batches still wait in memory.
  package mutating func take(sparing waiting: Set<ULID>) -> StreamCheckpoints {
    var taken = self
    taken.ended.removeAll { waiting.contains($0) }
    begun = []
    ended.removeAll { !waiting.contains($0) }
    return taken
  }

  /// Takes back what did not get to the disk.
  package mutating func takeBack(_ others: StreamCheckpoints) {
    begun = others.begun.filter { !ended.contains($0.session) } + begun
    ended = others.ended + ended
  }
}
