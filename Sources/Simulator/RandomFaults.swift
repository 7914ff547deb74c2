package import FleetModel

/// What goes wrong with boards by itself, decided by a seed: at any time one of them resets, runs low, or drops out
/// of a link.
package struct RandomFaults: Sendable {
  private let boards: [BluetoothAddress]
  private let meanPause: Duration
  private var random: SeededGenerator

  /// `meanPause` is from one deed to the next, in the whole fleet.
  package init(seed: UInt64, boards: [BluetoothAddress], meanPause: Duration = .seconds(15)) {
    self.boards = boards.sorted()
    self.meanPause = meanPause
    random = SeededGenerator(seed: seed)
  }

  /// The next fault, of one board, and how long after the one before; nil where there are no boards.
  package mutating func next() -> (pause: Duration, fault: Fault, board: BluetoothAddress)? {
    guard let board = boards.randomElement(using: &random) else { return nil }
    let pause = meanPause * Double.random(in: 0.2...1.8, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return (pause, .drop, board)
    case 4..<8: return (pause, .reset, board)
    default: return (pause, .battery(percent: 5), board)
    }
  }
}
