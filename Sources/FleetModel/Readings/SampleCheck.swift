/// Which samples of a stream can be at all: no sensor measures 4 096 °C, no battery holds 255 %, and no rotation has
/// the length 0. Made once for a stream; streams whose packets cannot carry anything impossible have none.
public struct SampleCheck: Hashable, Sendable {
  private let possible: [ClosedRange<Double>]
  /// Least and greatest sum of the squares of all values.
  private let squares: ClosedRange<Double>?

  private static let finite = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

  /// The check of samples of `stream` that hold `fields`; nil where nobody has to look. What the catalogue does not
  /// declare, as results of chains, has to be finite.
  public init?(of stream: String, holding fields: [StreamDefinition.Field]) {
    let found = StreamCatalogue.find(stream)
    let declared = found.map { found in
      found.component.map { [found.stream.fields[$0]] } ?? found.stream.fields
    }
    // A stored stream may be of an earlier version, or somebody else's of the same name.
    let isDeclared = declared.map { $0.map(\.name) == fields.map(\.name) } ?? false
    let checked = isDeclared ? declared ?? fields : fields
    guard !checked.allSatisfy(\.isKeptByPacket) else { return nil }
    possible = checked.map { $0.possible ?? Self.finite }
    let length = isDeclared && found?.component == nil ? found?.stream.possibleLength : nil
    squares = length.map { $0.lowerBound * $0.lowerBound...$0.upperBound * $0.upperBound }
  }

  /// Position of the first value that cannot be; nil where all can. Samples of another width are not judged.
  public func impossible(in values: Span<Double>) -> Int? {
    guard values.count == possible.count else { return nil }
    let ranges = possible.span
    // NaN lies in no range.
    for index in values.indices where !ranges[index].contains(values[index]) { return index }
    guard let squares else { return nil }
    var sum = 0.0
    for index in values.indices { sum += values[index] * values[index] }
    return squares.contains(sum) ? nil : 0
  }
}
