import BoardKit
import FleetModel
import SeededFaults
import Simulator
import Support
import VirtualTime

/// The radio of the days: it outlives the daemons that use it one after the other.
actor DayRadio: SystemRadio {
  private let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }

  nonisolated let radio: SimulatedRadio
  private var listener: AsyncStream<RadioEvent>.Continuation?

  init(_ radio: SimulatedRadio, in world: SeededWorld) { (self.radio, self.world) = (radio, world) }

  /// Lets time pass until cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [radio] in await radio.live() }
      for await event in radio.events { listener?.yield(event) }
      group.cancelAll()
    }
  }

  /// Somebody new listens and is told what there is.
  func attach(_ listener: AsyncStream<RadioEvent>.Continuation) async {
    self.listener = listener
    await radio.reportWhatIsThere()
  }

  /// The daemon died: its links stay up and are nobody's.
  func daemonDied() async {
    listener = nil
    await radio.abandonLinks()
  }

  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    // A task of the system's own: what it has begun it ends, also when the daemon dies meanwhile.
    let attempt = Task(executorPreference: world) { [radio] () -> Result<any BoardLink, LinkFailure> in
      let outcome: Result<any BoardLink, LinkFailure>
      do throws(LinkFailure) {
        outcome = .success(try await radio.connect(to: board, via: adapter, timeout: timeout))
      } catch {
        outcome = .failure(error)
      }
      return outcome
    }
    let outcome = await withTaskCancellationHandler {
      await attempt.value
    } onCancel: {
      attempt.cancel()
    }
    return try outcome.get()
  }

  func discover(_ isWanted: Bool, unfiltered: Bool) async {
    await radio.discover(isWanted, unfiltered: unfiltered)
  }

  func forget(_ board: BoardID, on adapter: AdapterID) async { await radio.forget(board, on: adapter) }
}
