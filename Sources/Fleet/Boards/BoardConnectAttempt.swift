import BoardKit
import FleetModel

/// One attempt to connect to a board, given up early when it is no longer wanted: a radio may take its time.
struct BoardConnectAttempt: Sendable {
  var board: BoardID
  var adapter: AdapterID
  var timeout: Duration
  var radio: any Radio
  var timekeeper: any Timekeeper
  /// Woken to give up.
  var abort: TaskWaker

  /// How an attempt ends that was given up.
  static let givenUp = LinkFailure(.closed, "the connection is no longer needed")

  func run() async -> Result<any BoardLink, LinkFailure> {
    await withTaskGroup(of: Result<any BoardLink, LinkFailure>?.self) { group in
      group.addTask {
        do throws(LinkFailure) {
          return .success(try await radio.connect(to: board, via: adapter, timeout: timeout))
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        await abort.sleep(atMost: nil, by: timekeeper)
        return nil
      }
      var outcome: Result<any BoardLink, LinkFailure>?
      for await finished in group {
        // Whichever is first ends the other; a link that came up all the same is not dropped on the floor.
        group.cancelAll()
        if let finished { outcome = finished }
      }
      return outcome ?? .failure(Self.givenUp)
    }
  }
}
