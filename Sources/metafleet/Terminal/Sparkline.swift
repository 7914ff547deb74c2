/// The last values of a quantity as small bars.
struct Sparkline: Sendable {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// How many values are shown.
  let width: Int
  private(set) var values: [Double] = []

  init(width: Int) { self.width = max(1, width) }

  /// Adds the newest value; what is not a number is left out.
  mutating func append(_ value: Double) {
    guard value.isFinite else { return }
    values.append(value)
    if values.count > width { values.removeFirst(values.count - width) }
  }

  /// The bars, lowest value at the bottom, highest at the top; a constant in the middle.
  var text: String {
    guard let low = values.min(), let high = values.max() else { return "" }
    let span = high - low
    return String(
      values.map { value in
        guard span > 0, span.isFinite else { return Self.bars[3] }
        let step = (value - low) / span * Double(Self.bars.count - 1)
        return Self.bars[min(Self.bars.count - 1, max(0, Int(step.rounded())))]
      })
  }
}
