import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct ConnectionMachineTests {
  private func failure(_ reason: LinkFailure.Reason) -> LinkFailure { LinkFailure(reason, "test") }

  private func advertised(at now: Duration = .zero) -> ConnectionMachine {
    var machine = ConnectionMachine()
    machine.advertised(at: now)
    return machine
  }

  /// A link that came up and was answered.
  private func connected() -> ConnectionMachine {
    var machine = advertised()
    machine.began(at: .zero)
    machine.linkUp()
    machine.answered()
    return machine
  }

  // The way to a link.

  @Test func `a board that nobody heard is not tried`() {
    var machine = ConnectionMachine()
    #expect(machine.step(at: .zero) == .wait(until: nil))
    #expect(machine.step(at: .seconds(3_600)) == .wait(until: nil))
  }

  @Test func `an advertisement is a reason to connect`() {
    var machine = advertised()
    #expect(machine.step(at: .zero) == .connect)
    machine.began(at: .zero)
    #expect(machine.state == .connecting)
    #expect(machine.step(at: .zero) == .wait(until: nil))
    machine.linkUp()
    #expect(machine.state == .connected)
    #expect(machine.step(at: .zero) == .wait(until: nil))
  }

  @Test func `advertisements while connecting or connected change nothing`() {
    var machine = advertised()
    machine.began(at: .zero)
    machine.advertised(at: .seconds(1))
    #expect(machine.state == .connecting)
    machine.linkUp()
    machine.advertised(at: .seconds(2))
    #expect(machine.state == .connected)
  }

  // Failures.

  @Test func `F02 aborted attempts are repeated soon nine times, then slowly`() {
    var machine = advertised()
    var now = Duration.zero
    for attempt in 1...9 {
      machine.began(at: .zero)
      machine.failed(failure(.refused), at: now, jitter: 0.5)
      guard case .wait(let until?) = machine.step(at: now) else {
        Issue.record("attempt \(attempt) did not wait")
        return
      }
      #expect(until - now <= .seconds(1))
      #expect(machine.failures == attempt)
      now = until
      #expect(machine.step(at: now) == .connect)
    }
    machine.began(at: .zero)
    machine.failed(failure(.refused), at: now, jitter: 0.5)
    #expect(machine.step(at: now) == .wait(until: now + .seconds(30)))
    #expect(machine.failures > Backoff.transientBudget)
    #expect(machine.step(at: now + .seconds(30)) == .connect)
  }

  @Test func `F02 only an answered request proves a link: one that is up without an answer is a failure`() {
    var machine = advertised()
    for number in 1...12 {
      machine.began(at: .zero)
      machine.linkUp()
      machine.linkEnded(failure(.linkLost), wasAnswered: false, at: .zero, jitter: 0.5)
      #expect(machine.failures == number)
    }
    #expect(machine.step(at: .seconds(1)) != .connect)
    machine.began(at: .zero)
    machine.linkUp()
    machine.answered()
    #expect(machine.failures == 0)
  }

  @Test func `F02 links that open and break at once do not add up to a hot loop`() {
    var machine = advertised()
    var starts: [Duration] = []
    var now = Duration.zero
    while starts.count < 60 {
      guard case .wait(let until?) = machine.step(at: now) else {
        starts.append(now)
        machine.began(at: now)
        // Eight failures, then a link that is answered and lost, over and over.
        if starts.count % 9 == 0 {
          machine.linkUp()
          machine.answered()
          machine.linkEnded(failure(.adapterGone), wasAnswered: true, at: now, jitter: 0, isRadioUsable: true)
        } else {
          machine.failed(failure(.refused), at: now, jitter: 0)
        }
        continue
      }
      now = until
    }
    for start in starts { #expect(starts.count { $0 >= start && $0 < start + .seconds(60) } <= 12) }
  }

  @Test
  func `contacts that we end when they are done are no attempts: a command after the other finds the board`()
  {
    var machine = advertised()
    var now = Duration.zero
    for _ in 0..<100 {
      while case .wait(let until?) = machine.step(at: now) { now = until }
      machine.began(at: now)
      machine.linkUp()
      machine.answered()
      machine.linkEnded(failure(.closed), wasAnswered: true, at: now, jitter: 0)
    }
    #expect(now < .seconds(60))
  }

  @Test(
    arguments: [true, false])
  func `F07 a device the system removed is given four seconds and must be heard again`(wasConnected: Bool) {
    var machine = connected()
    if wasConnected {
      machine.linkEnded(failure(.deviceGone), wasAnswered: true, at: .seconds(10), jitter: 0)
    } else {
      machine.began(at: .seconds(10))
      machine.failed(failure(.deviceGone), at: .seconds(10), jitter: 0)
    }
    #expect(machine.step(at: .seconds(10)) == .wait(until: .seconds(14)))
    machine.advertised(at: .seconds(13))
    #expect(machine.step(at: .seconds(13)) == .wait(until: .seconds(14)))
    machine.advertised(at: .seconds(15))
    #expect(machine.step(at: .seconds(15)) == .connect)
  }

  @Test func `F05 F06 the device of a board without our services is removed, at most every half minute`() {
    var machine = connected()
    let removals = (0...120).filter { machine.removes(after: failure(.servicesMissing), at: .seconds($0)) }
    #expect(removals == [0, 30, 60, 90, 120])
    let isRemoved = machine.removes(after: failure(.linkLost), at: .seconds(300))
    #expect(!isRemoved)
  }

  @Test func `F08 what another client holds is asked for every half minute at most`() {
    var machine = advertised()
    for _ in 1...20 {
      machine.began(at: .zero)
      machine.failed(failure(.busyElsewhere), at: .zero, jitter: 0)
      guard case .wait(let until?) = machine.step(at: .zero) else {
        Issue.record("did not wait")
        return
      }
      #expect(until >= .seconds(30))
    }
    #expect(machine.lastFailure?.reason == .busyElsewhere)
  }

  @Test func `a board that did not answer must be heard again`() {
    var machine = advertised()
    machine.began(at: .zero)
    machine.failed(failure(.unreachable), at: .zero, jitter: 0)
    #expect(machine.step(at: .zero) == .wait(until: .milliseconds(250)))
    #expect(machine.step(at: .seconds(60)) == .wait(until: nil))
    #expect(machine.state == .absent)
    machine.advertised(at: .seconds(61))
    #expect(machine.step(at: .seconds(61)) == .connect)
  }

  @Test func `hearing it again after the rest is enough`() {
    var machine = advertised()
    machine.began(at: .zero)
    machine.failed(failure(.unreachable), at: .zero, jitter: 0)
    machine.advertised(at: .milliseconds(100))
    #expect(machine.step(at: .milliseconds(100)) == .wait(until: .milliseconds(250)))
    machine.advertised(at: .milliseconds(300))
    #expect(machine.step(at: .milliseconds(300)) == .connect)
  }

  @Test func `without a free place it waits a moment`() {
    var machine = advertised()
    machine.began(at: .zero)
    machine.failed(failure(.noSlots), at: .zero, jitter: 0)
    #expect(machine.step(at: .zero) == .wait(until: .seconds(4)))
    #expect(machine.step(at: .seconds(4)) == .connect)
  }

  @Test(
    arguments: [
      LinkFailure.Reason.adapterGone, .adapterOff, .serviceGone,
    ])
  func `what no attempt can change strands it`(reason: LinkFailure.Reason) {
    var machine = advertised()
    machine.began(at: .zero)
    machine.failed(failure(reason), at: .zero, jitter: 0)
    #expect(machine.state == .radioUnavailable)
    #expect(machine.step(at: .seconds(3_600)) == .wait(until: nil))
    machine.advertised(at: .seconds(3_600))
    #expect(machine.step(at: .seconds(3_600)) == .wait(until: nil))
    machine.radioReturned(at: .seconds(3_601))
    #expect(machine.step(at: .seconds(3_601)) == .connect)
  }

  private static let refusals: [LinkFailure.Reason] = [.bondRequired, .unknownModel, .notPermitted]

  @Test(arguments: refusals)
  func `F162 a refused board is tried again after minutes, though it advertises all the time`(
    reason: LinkFailure.Reason
  ) {
    var machine = advertised()
    var (now, attempts) = (Duration.zero, [Duration]())
    while now < .seconds(3_600) {
      machine.advertised(at: now)
      if machine.step(at: now) == .connect {
        attempts.append(now)
        machine.began(at: now)
        machine.failed(failure(reason), at: now, jitter: 0.5)
      }
      now += .seconds(1)
    }
    #expect(attempts == [0, 60, 180, 420, 900, 1_800, 2_700].map { .seconds($0) })
    #expect(machine.lastFailure?.reason == reason)
  }

  @Test(arguments: refusals)
  func `F162 a refused board that was away is tried at once, and minutes count anew once it serves`(
    reason: LinkFailure.Reason
  ) {
    var machine = advertised()
    for _ in 1...5 {
      machine.began(at: .zero)
      machine.failed(failure(reason), at: .zero, jitter: 0.5)
    }
    machine.advertised(at: .seconds(59))
    #expect(machine.step(at: .seconds(59)) == .wait(until: .seconds(900)))
    machine.advertised(at: .seconds(119))
    #expect(machine.step(at: .seconds(119)) == .connect)
    machine.began(at: .seconds(119))
    machine.linkUp()
    machine.linkEnded(failure(.linkLost), wasAnswered: true, at: .seconds(130), jitter: 0)
    machine.began(at: .seconds(131))
    machine.failed(failure(reason), at: .seconds(131), jitter: 0.5)
    #expect(machine.step(at: .seconds(131)) == .wait(until: .seconds(191)))
  }

  @Test func `F165 what a board was refused for is reconsidered at once; any other back-off stays`() {
    var machine = advertised()
    machine.began(at: .zero)
    machine.failed(failure(.identityMismatch), at: .zero, jitter: 0.5)
    machine.reconsidered()
    #expect(machine.state == .waitingForSlot && machine.lastFailure == nil)
    machine.began(at: .seconds(1))
    machine.failed(failure(.refused), at: .seconds(1), jitter: 0.5)
    let before = machine.state
    machine.reconsidered()
    #expect(machine.state == before && machine.lastFailure?.reason == .refused)
  }

  @Test func `F162 a board whose model nobody knows is no flapping one, although it answered`() {
    var machine = connected()
    machine.linkEnded(failure(.unknownModel), wasAnswered: true, at: .seconds(5), jitter: 0.5)
    #expect(machine.step(at: .seconds(5)) == .wait(until: .seconds(65)) && !machine.isFlapping)
  }

  // The end of a link.

  @Test func `a lost link is tried again at once`() {
    var machine = connected()
    machine.linkEnded(failure(.linkLost), wasAnswered: true, at: .seconds(5), jitter: 0)
    #expect(machine.step(at: .seconds(5)) == .wait(until: .milliseconds(5_250)))
    #expect(machine.step(at: .milliseconds(5_250)) == .connect)
    #expect(machine.failures == 0)
    #expect(machine.lastFailure?.reason == .linkLost)
  }

  @Test func `a link that is up forgets the last failure`() {
    var machine = advertised()
    machine.began(at: .zero)
    machine.failed(failure(.refused), at: .zero, jitter: 0)
    machine.began(at: .zero)
    machine.linkUp()
    #expect(machine.lastFailure == nil)
  }

  @Test(arguments: [true, false])
  func `F10 a link that ends with the service waits for the radio`(wasAnswered: Bool) {
    var machine = connected()
    machine.linkEnded(failure(.serviceGone), wasAnswered: wasAnswered, at: .seconds(5), jitter: 0)
    #expect(machine.state == .radioUnavailable)
  }

  // Flapping.

  /// Loses answered links that each lived for `life`, and returns how long it delays after each.
  private func delays(
    life: Duration, losses: Int, machine: inout ConnectionMachine, from start: Duration = .zero
  ) -> [Duration] {
    var now = start
    return (0..<losses).compactMap { _ in
      machine.began(at: .zero)
      machine.linkUp()
      machine.answered()
      now += life
      machine.linkEnded(failure(.linkLost), wasAnswered: true, at: now, jitter: 0)
      guard case .wait(let until?) = machine.step(at: now) else { return nil }
      defer { now = until }
      return until - now
    }
  }

  @Test(arguments: [5, 20])
  func `F27 five losses in ten minutes: hold-off from one minute to ten`(seconds: Int) {
    var machine = advertised()
    let delays = delays(life: .seconds(seconds), losses: 11, machine: &machine)
    #expect(delays.prefix(4).allSatisfy { $0 == .milliseconds(250) })
    #expect(delays.dropFirst(4).map { $0.components.seconds } == [60, 120, 240, 480, 600, 600, 600])
    #expect(machine.isFlapping)
  }

  @Test func `F27 five losses in an hour are none`() {
    var machine = advertised()
    let delays = delays(life: .seconds(700), losses: 12, machine: &machine)
    #expect(delays.allSatisfy { $0 == .milliseconds(250) })
    #expect(!machine.isFlapping)
  }

  @Test func `F27 a link that held is forgiven`() {
    var machine = advertised()
    _ = delays(life: .seconds(5), losses: 6, machine: &machine)
    #expect(machine.isFlapping)
    let later = delays(life: .seconds(3_600), losses: 1, machine: &machine, from: .seconds(10_000))
    #expect(later == [.milliseconds(250)])
    #expect(!machine.isFlapping)
  }

  @Test func `F27 ending a link ourselves is no loss, and says nothing about old ones`() {
    var machine = advertised()
    _ = delays(life: .seconds(5), losses: 5, machine: &machine)
    machine.began(at: .zero)
    machine.linkUp()
    machine.answered()
    machine.linkEnded(failure(.closed), wasAnswered: true, at: .seconds(7_200), jitter: 0)
    #expect(!machine.isFlapping)
    #expect(machine.step(at: .seconds(7_200)) == .wait(until: .seconds(7_200) + .milliseconds(250)))
    for _ in 1...10 { machine.linkEnded(failure(.closed), wasAnswered: true, at: .seconds(7_300), jitter: 0) }
    #expect(!machine.isFlapping)
  }

  // Kept apart on request.

  @Test func `a hold outlasts its link and advertisements`() {
    var machine = connected()
    machine.suspend(until: .seconds(60))
    machine.linkEnded(failure(.closed), wasAnswered: true, at: .seconds(1), jitter: 0)
    machine.advertised(at: .seconds(30))
    #expect(machine.step(at: .seconds(30)) == .wait(until: .seconds(60)))
    #expect(machine.step(at: .seconds(60)) == .wait(until: nil))
    machine.advertised(at: .seconds(61))
    #expect(machine.step(at: .seconds(61)) == .connect)
  }

  @Test func `an advertisement just after the hold counts`() {
    var machine = connected()
    machine.suspend(until: .seconds(60))
    machine.advertised(at: .seconds(61))
    #expect(machine.step(at: .seconds(61)) == .connect)
  }

  @Test func `a hold outlasts the radio`() {
    var machine = connected()
    machine.suspend(until: .seconds(60))
    machine.radioLost(failure(.serviceGone), at: .zero)
    machine.radioReturned(at: .seconds(5))
    #expect(machine.step(at: .seconds(5)) == .wait(until: .seconds(60)))
  }

  // The radio.

  @Test func `F10 a lost radio strands who waits, and leaves links to their own end`() {
    var absent = ConnectionMachine()
    absent.radioLost(failure(.serviceGone), at: .zero)
    #expect(absent.state == .radioUnavailable && absent.lastFailure?.reason == .serviceGone)
    var waitingForSlot = advertised()
    waitingForSlot.radioLost(failure(.serviceGone), at: .zero)
    #expect(waitingForSlot.state == .radioUnavailable)
    var backingOff = connected()
    backingOff.linkEnded(failure(.linkLost), wasAnswered: true, at: .zero, jitter: 0)
    backingOff.radioLost(failure(.serviceGone), at: .zero)
    #expect(backingOff.state == .radioUnavailable)
    var connected = connected()
    connected.radioLost(failure(.serviceGone), at: .zero)
    #expect(connected.state == .connected)
  }

  private static let returnedCases: [(Duration, ConnectionMachine.State)] = [
    (.seconds(15), .waitingForSlot), (.seconds(16), .absent), (.seconds(600), .absent),
  ]

  @Test(
    arguments: returnedCases)
  func `a board that was heard a moment before the radio returned is not forgotten`(
    later: Duration, state: ConnectionMachine.State
  ) {
    var machine = advertised()
    machine.radioLost(failure(.serviceGone), at: .zero)
    machine.radioReturned(at: later)
    #expect(machine.state == state)
  }

  @Test func `a returning radio disturbs nobody else`() {
    var machine = connected()
    machine.radioReturned(at: .zero)
    #expect(machine.state == .connected)
  }

  @Test func `F124 a link that ends because a command said so is no loss, however many there were before`() {
    for losses in 0...ConnectionMachine.flapLimit {
      var machine = ConnectionMachine()
      var now = Duration.zero
      func end(isOrdered: Bool) {
        machine.linkUp()
        machine.answered()
        now += .seconds(1)
        machine.linkEnded(
          failure(.linkLost), wasAnswered: true, at: now, jitter: 0, isOrdered: isOrdered)
      }
      for _ in 0..<losses { end(isOrdered: false) }
      let isFlapping = machine.isFlapping
      for _ in 0..<10 {
        end(isOrdered: true)
        #expect(machine.state == .backingOff(until: now + .milliseconds(250), needsAdvertisement: false))
        #expect(machine.isFlapping == isFlapping)
      }
    }
  }
}
