import Dialects
import FleetModel
import Simulator
import Synchronization

/// What the accelerometers of simulated boards measured, held against what was published of it.
final class MeasuredSamples: Sendable {
  /// The three axes as the chip tells them.
  typealias Sample = [Int16]

  /// Module of the accelerometer.
  private static let accelerometer: UInt8 = 0x03
  /// So many samples in a row tell where the published ones begin.
  private static let prefix = 6

  private let measured = Mutex<[BoardID: [Sample]]>([:])

  /// Hears the boards' ledger.
  func note(_ address: BluetoothAddress, _ entry: LedgerEntry) {
    guard case .measured(Self.accelerometer, let bytes) = entry, bytes.count == 6 else { return }
    let sample = stride(from: 0, to: 6, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    measured.withLock { $0[BoardID(address), default: []].append(sample) }
  }

  /// How many samples of each board there are by now.
  var counts: [BoardID: Int] { measured.withLock { $0.mapValues(\.count) } }

  /// What is wrong with the published samples of a board, of which `count` were measured by then: from the first one on
  /// they are all that were measured, in order, but for `late` that are still on their way. Nil when nothing is.
  func complaint(about published: [Sample], of board: BoardID, count: Int, late: Int) -> String? {
    let measured = measured.withLock { Array(($0[board] ?? []).prefix(count)) }
    let begin = Array(published.prefix(Self.prefix))
    guard begin.count == Self.prefix,
      let offset = measured.indices.first(where: { measured[$0...].starts(with: begin) })
    else { return "\(board): \(published.count) samples were published, none of which was measured" }
    for (index, sample) in published.enumerated() {
      guard offset + index < measured.count else { return nil }
      if measured[offset + index] != sample {
        return "\(board): sample \(index) of \(published.count) is not the one that was measured then"
      }
    }
    let missing = measured.count - offset - published.count
    return missing > late ? "\(board): the last \(missing) samples are missing" : nil
  }
}
