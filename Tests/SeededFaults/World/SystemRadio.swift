package import BoardKit
package import FleetModel
import VirtualTime

/// The radio as an operating system has it: it outlives the daemons that use it one after the other.
package protocol SystemRadio: Sendable {
  /// Somebody new listens and is told what there is.
  func attach(_ listener: AsyncStream<RadioEvent>.Continuation) async

  /// As `Radio` has it.
  func discover(_ isWanted: Bool, unfiltered: Bool) async

  /// As `Radio` has it. What it has begun it ends, also when the daemon dies meanwhile.
  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink

  /// As `Radio` has it.
  func forget(_ board: BoardID, on adapter: AdapterID) async
}

/// What one run of a daemon has of a `SystemRadio`: events of its own, and packets in its process.
struct SystemRadioClient: Radio {
  let events: AsyncStream<RadioEvent>
  private let outlet: AsyncStream<RadioEvent>.Continuation
  private let radio: any SystemRadio
  private let process: SeededProcess
  /// Nothing is ever sent on it: it lasts as long as the daemon.
  private let lifetime = AsyncStream<Void>.makeStream()

  init(of radio: any SystemRadio, for process: SeededProcess) {
    (self.radio, self.process) = (radio, process)
    (events, outlet) = AsyncStream.makeStream()
  }

  var executor: any SerialExecutor { process }

  func run() async {
    await radio.attach(outlet)
    for await _ in lifetime.stream {}
  }

  func discover(_ isWanted: Bool, unfiltered: Bool) async {
    await radio.discover(isWanted, unfiltered: unfiltered)
  }

  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    try await radio.connect(to: board, via: adapter, timeout: timeout)
  }

  func forget(_ board: BoardID, on adapter: AdapterID) async { await radio.forget(board, on: adapter) }

  func use(_ adapters: Set<AdapterID>?) async {}

  func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) async {}
}
