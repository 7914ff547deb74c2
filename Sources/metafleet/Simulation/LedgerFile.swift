import FleetModel
import Glibc
import Simulator
import Storage
import Synchronization

/// What onlookers hold against what the gateway makes of simulated boards: a line for whatever becomes of an entry of a
/// log, or for whatever a board does, at once.
final class LedgerFile: Sendable {
  private let file: Mutex<Int32>

  /// Begins the file anew.
  init(_ path: String, called name: String = "the ledger") throws(CommandLineFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandLineFailure(.unavailable, PathFailure.text("\(name) \(path)", "written"))
    }
    file = Mutex(descriptor)
  }

  deinit { file.withLock { _ = close($0) } }

  /// `c0ffee000001 12.345678 logged 00…`: the board, seconds of the simulation, and what happened.
  func note(_ board: BluetoothAddress, _ entry: LedgerEntry, at time: Duration) {
    add("\(BoardID(board)) \(time.inSeconds) \(entry)")
  }

  /// Adds a line.
  func add(_ line: String) {
    var text = line + "\n"
    file.withLock { descriptor in
      text.withUTF8 { bytes in _ = write(descriptor, bytes.baseAddress, bytes.count) }
    }
  }
}
