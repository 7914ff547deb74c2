import FleetModel

/// The streams that are fed by the samples of one register: the whole sample, and its components by themselves. Small,
/// because a decoder takes it along for every packet.
struct StreamOutputs: Hashable, Sendable {
  private static let nobody: Int32 = -1

  private var wholeIndex = Self.nobody
  private var firstIndex = Self.nobody
  private var secondIndex = Self.nobody
  private var thirdIndex = Self.nobody
  private var fourthIndex = Self.nobody
  /// Whether a component is wanted by itself, which is rare.
  private(set) var hasComponents = false

  /// The stream of the whole sample, and those of its components.
  var whole: StreamKey? { Self.key(wholeIndex) }
  var first: StreamKey? { Self.key(firstIndex) }
  var second: StreamKey? { Self.key(secondIndex) }
  var third: StreamKey? { Self.key(thirdIndex) }
  var fourth: StreamKey? { Self.key(fourthIndex) }

  /// Whether nobody is fed.
  var isEmpty: Bool { wholeIndex == Self.nobody && !hasComponents }

  private static func key(_ index: Int32) -> StreamKey? { index < 0 ? nil : StreamKey(Int(index)) }

  /// Feeds a stream with the whole sample, or with its component 0–3; nothing where nobody takes the samples.
  mutating func add(_ stream: StreamKey?, component: Int?) {
    guard let stream else { return }
    let index = Int32(clamping: stream.index)
    switch component {
    case nil: wholeIndex = index
    case 0: firstIndex = index
    case 1: secondIndex = index
    case 2: thirdIndex = index
    default: fourthIndex = index
    }
    if component != nil { hasComponents = true }
  }
}
