import ArgumentParser
import Dialects
import FleetModel

/// In which order boards are listed.
struct BoardSortOrder: Hashable, Sendable {
  /// What is compared; the raw values are what `--sort` takes.
  enum Key: String, Sendable, CaseIterable, ExpressibleByArgument {
    case name, link, battery, signal, rate, loss, clock

    /// The key to press.
    var letter: Character {
      switch self {
      case .name: "n"
      case .link: "l"
      case .battery: "b"
      case .signal: "s"
      case .rate: "r"
      case .loss: "x"
      case .clock: "c"
      }
    }

    /// Whether the largest is worth looking at first.
    var isLargestFirst: Bool { self == .loss || self == .clock }
  }

  var key = Key.name
  var isReversed = false

  /// The boards in this order; those that tell nothing about it come last, equals by name.
  func sorted(_ monitor: FleetMonitor, at uptime: Duration) -> [FleetView.Board] {
    let boards = monitor.fleet.sorted
    if key == .name { return isReversed ? boards.reversed() : boards }
    let isDescending = key.isLargestFirst != isReversed
    let ranked = boards.enumerated().map { ($0.offset, $0.element, value(of: $0.element, monitor, uptime)) }
    return ranked.sorted { left, right in
      switch (left.2, right.2) {
      case (let one?, let other?) where one != other: isDescending ? one > other : one < other
      case (_?, nil): true
      case (nil, _?): false
      default: left.0 < right.0
      }
    }.map(\.1)
  }

  private func value(of board: FleetView.Board, _ monitor: FleetMonitor, _ uptime: Duration) -> Double? {
    let state = board.state
    return switch key {
    case .name: nil
    case .link:
      state?[.link].flatMap { LinkPhase.allCases.firstIndex(of: $0) }.map(Double.init)
    case .battery: state?[.batteryPercent].map(Double.init)
    case .signal: state?[.rssi].map(Double.init)
    case .rate: monitor.rates.rate(of: board.id, at: uptime)
    case .loss: state?[.samplesLost].map(Double.init)
    case .clock: state?[.clockError]
    }
  }
}
