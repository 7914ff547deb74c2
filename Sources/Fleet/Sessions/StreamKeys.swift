import BoardKit
import FleetModel

/// The keys of a session's streams, by name. Where two streams exclude each other, the one with the lower key counts.
/// Pure.
struct StreamKeys: Hashable, Sendable {
  private var keys: [String: StreamKey] = [:]

  /// The key of a stream; nil where it has none yet.
  subscript(name: String) -> StreamKey? {
    get { keys[name] }
    set { keys[name] = newValue }
  }

  /// The key of a stream, behind all others where it has none yet.
  mutating func key(of name: String) -> StreamKey {
    let key = keys[name] ?? StreamKey((keys.values.max()?.index ?? -1) + 1)
    keys[name] = key
    return key
  }

  /// Puts a stream behind all others, as if it were new.
  mutating func putLast(_ name: String) {
    guard keys[name] == nil || keys[name] != keys.values.max() else { return }
    keys[name] = StreamKey((keys.values.max()?.index ?? -1) + 1)
  }

  /// What the board is asked for, by keys: who comes later has to go by what is there. `sensors` are those of chains
  /// and loggers, whose samples do not come to the host.
  mutating func requests(
    _ streams: [String: StreamRequest], sensors: [String: StreamRequest]
  ) -> [StreamKey: StreamRequest] {
    var requests: [StreamKey: StreamRequest] = [:]
    for group in [streams, sensors] {
      for (name, request) in group.sorted(by: { $0.key < $1.key }) { requests[key(of: name)] = request }
    }
    return requests
  }
}
