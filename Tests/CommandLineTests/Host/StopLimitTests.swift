import Fleet
import Synchronization
import Testing

@testable import metafleet

/// A stop that hangs is over all the same; time passes only when the test says so.
@Suite struct StopLimitTests {
  /// A clock with one alarm, and what became of the limit.
  private final class World: Sendable {
    private let alarms = Mutex<[(span: Duration, body: @Sendable () -> Void)]>([])
    private let expiries = Mutex<[StopLimit.Expiry]>([])

    var limit: StopLimit {
      StopLimit({ span, body in self.alarms.withLock { $0.append((span, body)) } }) { expiry in
        self.expiries.withLock { $0.append(expiry) }
      }
    }

    var spans: [Duration] { alarms.withLock { $0.map(\.span) } }

    /// Lets the time pass that was asked for.
    func expire() -> [StopLimit.Expiry] {
      for body in alarms.withLock({ $0.map(\.body) }) { body() }
      return expiries.withLock { $0 }
    }
  }

  @Test func `F203 a stop that hangs is given up within its time, and what hung is named`() {
    for (step, word) in [(StopStep.links, "bluetoothd"), (.messages, "disk")] {
      let world = World()
      let limit = world.limit
      for passed in StopStep.allCases.prefix(while: { $0 != step }) { limit.note(passed) }
      limit.note(step)
      #expect(world.spans == [.seconds(17)])
      let expiries = world.expire()
      #expect(expiries.count == 1 && expiries.first?.status == .internal)
      #expect(expiries.first?.sentence.contains(word) == true, "\(expiries)")
    }
  }

  @Test func `F203 where all that matters is done, the stop counts as one`() {
    let world = World()
    let limit = world.limit
    for step in StopStep.allCases { limit.note(step) }
    #expect(world.expire().map(\.status) == [.ok])
  }

  @Test func `F203 a stop that came to its end is not given up, and nothing is before one begins`() {
    let world = World()
    let limit = world.limit
    #expect(world.spans.isEmpty)
    limit.note(.links)
    limit.end()
    limit.note(.tasks)
    #expect(world.spans.count == 1 && world.expire().isEmpty)
  }

  @Test func `the log's last lines fit behind the limit`() {
    #expect(StopLimit.longest + .seconds(2) <= .seconds(20))
  }
}
