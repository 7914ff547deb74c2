import BoardKit
import FleetModel

/// What becomes of a session's streams once its board runs others. Pure.
enum StreamChange: Hashable, Sendable {
  /// The same run of samples goes on; this speaks against its values by now.
  case doubt(StreamKey, Set<QualityReason>)
  /// Its lanes close.
  case retire(StreamKey)
  /// It begins.
  case open(ActiveStream)

  /// From what ran until now, in the order of its keys, to what runs by now.
  static func changes(from running: [ActiveStream], to active: [ActiveStream]) -> [StreamChange] {
    let active = Dictionary(active.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var kept: Set<StreamKey> = []
    var changes = running.map { stream -> StreamChange in
      guard let now = active[stream.key], now.isSameRun(as: stream) else { return .retire(stream.key) }
      kept.insert(stream.key)
      return .doubt(stream.key, now.doubts)
    }
    changes += active.values.filter { !kept.contains($0.key) }.sorted { $0.key < $1.key }.map { .open($0) }
    return changes
  }
}
