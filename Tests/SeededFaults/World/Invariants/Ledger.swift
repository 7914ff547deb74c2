import Dialects
import FleetModel
import Support
import Synchronization
import VirtualTime

/// The outside ledger of a seeded run: takes every observation, holds it against every invariant at once, and keeps a
/// digest by which two runs can be compared.
final class Ledger: Sendable {
  private struct State {
    var invariants: [(name: String, checker: any Invariant)]
    var violations: [InvariantViolation] = []
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func mix(_ number: UInt64) { digest = (digest ^ number) &* 0x0000_0100_0000_01B3 }
  }

  private let world: SeededWorld
  private let state: Mutex<State>
  /// Whether every observation is printed, for whoever looks for the cause of a violation.
  private let isTelling = SeedReport.isTelling

  init(world: SeededWorld, invariants: [any Invariant]) {
    self.world = world
    state = Mutex(State(invariants: invariants.map { ("\(type(of: $0))", $0) }))
  }

  func note(_ observation: Observation) {
    let moment = Moment(uptime: world.uptime, time: world.now)
    if isTelling { print("\(moment.uptime) \(observation)") }
    state.withLock { state in
      state.mix(UInt64(bitPattern: moment.uptime.wholeNanoseconds))
      if case .published(let publication) = observation {
        for byte in publication.message.topic.utf8 { state.mix(UInt64(byte)) }
        state.mix(UInt64(publication.message.payload.count))
        for byte in publication.message.payload.suffix(24) { state.mix(UInt64(byte)) }
      }
      for index in state.invariants.indices {
        guard let words = state.invariants[index].checker.observe(observation, at: moment) else { continue }
        state.violations.append(
          InvariantViolation(invariant: state.invariants[index].name, words: words, at: moment.uptime))
      }
    }
  }

  /// Something is wrong that no single observation shows.
  func accuse(_ invariant: String, _ words: String) {
    let violation = InvariantViolation(invariant: invariant, words: words, at: world.uptime)
    state.withLock { $0.violations.append(violation) }
  }

  /// Looks back at the end.
  func review() {
    let moment = Moment(uptime: world.uptime, time: world.now)
    state.withLock { state in
      for (name, checker) in state.invariants {
        guard let words = checker.review(at: moment) else { continue }
        state.violations.append(InvariantViolation(invariant: name, words: words, at: moment.uptime))
      }
    }
  }

  var violations: [InvariantViolation] { state.withLock { $0.violations } }

  /// The same for two runs that were the same.
  var digest: UInt64 { state.withLock { $0.digest } }
}
