import Dialects
import FleetModel

/// How many samples a second boards produce, told from the numbers that live samples carry: a live sample has the
/// number of the same sample on the record lane, so decimation does not hide the rate (MQTT contract 1.7).
struct SampleRates: Sendable {
  private struct Source: Hashable {
    var board: BoardID
    var stream: String
  }

  private struct Point {
    var number: Int
    var time: Timestamp
    var arrival: Duration
  }

  /// Rates are means over so long; a slow stream's over its last two samples.
  private static let window = Duration.seconds(5)
  /// A stream that missed so many of its samples has stopped.
  private static let missedLimit = 3.0

  private var points: [Source: [Point]] = [:]

  /// Takes a live sample in that arrived at this uptime.
  mutating func received(_ sample: LiveSampleDocument, at arrival: Duration) {
    guard let board = sample[.board], let stream = sample[.stream], let number = sample[.number],
      let time = sample[.time]
    else { return }
    let source = Source(board: board, stream: stream)
    var known = points[source] ?? []
    // A number that does not grow begins another session.
    if let last = known.last, number <= last.number { known = [] }
    known.append(Point(number: number, time: time, arrival: arrival))
    while known.count > 2, arrival - known[1].arrival > Self.window { known.removeFirst() }
    points[source] = known
  }

  /// Samples a second of all streams of a board at this uptime; nil while no stream told two.
  func rate(of board: BoardID, at uptime: Duration) -> Double? {
    let rates = points.filter { $0.key.board == board }.compactMap { Self.rate(of: $0.value, at: uptime) }
    return rates.isEmpty ? nil : rates.reduce(0, +)
  }

  private static func rate(of points: [Point], at uptime: Duration) -> Double? {
    guard let first = points.first, let last = points.last else { return nil }
    let span = (last.time - first.time).inSeconds
    guard points.count > 1, span > 0 else { return nil }
    let pace = (last.arrival - first.arrival).inSeconds / Double(points.count - 1)
    let silence = (uptime - last.arrival).inSeconds
    if silence > max(window.inSeconds, pace * missedLimit) { return 0 }
    return Double(last.number &- first.number) / span
  }
}
