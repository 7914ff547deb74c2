import BoardKit
import FleetModel

/// The streams of a session, by keys that are small numbers: every sample looks its stream up.
struct StreamTable {
  private var places: [SessionStream?] = []
  /// Those that are polled, in the order of their keys.
  private(set) var polled: [SessionStream] = []

  subscript(key: StreamKey) -> SessionStream? {
    get { places.indices.contains(key.index) ? places[key.index] : nil }
    set {
      while places.count <= key.index { places.append(nil) }
      places[key.index] = newValue
      polled = all.filter(\.active.isPolled)
    }
  }

  /// All there are, in the order of their keys.
  var all: some Sequence<SessionStream> { places.lazy.compactMap(\.self) }
}
