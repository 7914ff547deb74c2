import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.3: on change, at most once a second, at least every five minutes while online.
@Suite struct StateThrottleTests {
  private func state(_ change: (inout BoardState) -> Void = { _ in }) -> BoardState {
    var state = BoardState(board: .number(1), link: .idle, time: .at(0))
    change(&state)
    return state
  }

  @Test func `the first goes out at once`() {
    var throttle = StateThrottle()
    let (isDue, next) = throttle.offer(state(), isOnline: false, at: .zero)
    #expect(isDue && next == nil)
    #expect(throttle.last == state())
  }

  @Test func `the same is not said twice`() {
    var throttle = StateThrottle()
    _ = throttle.offer(state(), isOnline: false, at: .zero)
    let (isDue, next) = throttle.offer(state { $0.time = .at(9_000) }, isOnline: false, at: .seconds(9))
    #expect(!isDue && next == nil)
  }

  @Test func `a change goes out at once when a second has passed`() {
    var throttle = StateThrottle()
    _ = throttle.offer(state(), isOnline: true, at: .zero)
    #expect(throttle.offer(state { $0.link = .streaming }, isOnline: true, at: .seconds(1)).isDue)
  }

  @Test func `a change within the second waits for its end`() {
    var throttle = StateThrottle()
    _ = throttle.offer(state(), isOnline: true, at: .zero)
    let changed = state { $0.orders.commandsWaiting = 1 }
    let (isDue, next) = throttle.offer(changed, isOnline: true, at: .milliseconds(300))
    #expect(!isDue && next == .seconds(1))
    #expect(throttle.offer(changed, isOnline: true, at: .seconds(1)).isDue)
  }

  @Test func `a change that is taken back before it was said is none`() {
    var throttle = StateThrottle()
    _ = throttle.offer(state(), isOnline: false, at: .zero)
    _ = throttle.offer(state { $0.link = .connecting }, isOnline: false, at: .milliseconds(300))
    #expect(!throttle.offer(state(), isOnline: false, at: .seconds(1)).isDue)
  }

  @Test func `F209 health counts anew what goes out in trouble, in maintenance, or in neither any more`() {
    var throttle = StateThrottle()
    let trouble = StatedReason(.awaitingAdvertisement, "not received")
    func isCountedAnew(_ seconds: Int, _ change: (inout BoardState) -> Void = { _ in }) -> Bool {
      let (isDue, _) = throttle.offer(state(change), isOnline: false, at: .seconds(seconds))
      return isDue && throttle.isCountedAnew
    }
    #expect(!isCountedAnew(0))
    #expect(!isCountedAnew(1) { $0.link = .connecting })
    #expect(isCountedAnew(2) { $0.reason = trouble })
    #expect(!isCountedAnew(3) { ($0.reason, $0.link) = (trouble, .streaming) })
    #expect(isCountedAnew(4) { ($0.reason, $0.orders.maintenance) = (trouble, .init(until: .at(9))) })
    #expect(isCountedAnew(5))
    var first = StateThrottle()
    _ = first.offer(state { $0.reason = trouble }, isOnline: false, at: .zero)
    #expect(first.isCountedAnew)
  }

  @Test func `while online it is repeated every five minutes`() {
    var throttle = StateThrottle()
    #expect(throttle.offer(state(), isOnline: true, at: .zero).next == .seconds(300))
    #expect(throttle.offer(state(), isOnline: true, at: .seconds(299)) == (false, .seconds(300)))
    #expect(throttle.offer(state(), isOnline: true, at: .seconds(300)) == (true, .seconds(600)))
  }

  @Test func `F221 the last state goes out at once, where it says anything else`() {
    var throttle = StateThrottle()
    _ = throttle.offer(state(), isOnline: true, at: .zero)
    let isSame = throttle.finish(state { $0.time = .at(9_000) })
    let isOther = throttle.finish(state { $0.link = .unseen })
    #expect(!isSame && isOther && throttle.last?.link == .unseen)
  }

  @Test func `being heard is no change; it rides along with the next one`() {
    var throttle = StateThrottle()
    _ = throttle.offer(state(), isOnline: true, at: .zero)
    let heard = state {
      $0.rssi = -63
      $0.contact.lastSeen = .at(2_000)
    }
    #expect(!throttle.offer(heard, isOnline: true, at: .seconds(2)).isDue)
    var changed = heard
    changed.link = .streaming
    #expect(throttle.offer(changed, isOnline: true, at: .seconds(3)).isDue)
    #expect(throttle.last?.rssi == -63 && throttle.last?.contact.lastSeen == .at(2_000))
  }

  @Test func `I8 whatever changes, it is told within a second; never more than once a second`() {
    var throttle = StateThrottle()
    var told: [Duration] = []
    var waiting: Duration?
    for step in 0..<600 {
      let now = Duration.milliseconds(50 * step)
      let (isDue, _) = throttle.offer(state { $0.lastDay.samplesLost = step / 3 }, isOnline: true, at: now)
      if isDue {
        told.append(now)
        waiting = nil
      } else {
        waiting = waiting ?? now
        #expect(now - (waiting ?? now) < .seconds(1))
      }
    }
    #expect(zip(told, told.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) })
    #expect(told.count == 30)
  }
}
