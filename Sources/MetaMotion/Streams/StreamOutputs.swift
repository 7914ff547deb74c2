import FleetModel

/// The streams that are fed by the samples of one register: the whole sample, and its components by themselves.
struct StreamOutputs: Hashable, Sendable {
  private(set) var whole: StreamKey?
  private(set) var first: StreamKey?
  private(set) var second: StreamKey?
  private(set) var third: StreamKey?
  private(set) var fourth: StreamKey?

  /// Feeds a stream with the whole sample, or with its component 0–3.
  mutating func add(_ stream: StreamKey, component: Int?) {
    switch component {
    case nil: whole = stream
    case 0: first = stream
    case 1: second = stream
    case 2: third = stream
    default: fourth = stream
    }
  }

  /// Whether nobody is fed.
  var isEmpty: Bool { whole == nil && !hasComponents }

  /// Whether a component is wanted by itself, which is rare.
  var hasComponents: Bool { first != nil || second != nil || third != nil || fourth != nil }
}
