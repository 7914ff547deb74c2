import BoardKit
import FleetModel
import Testing

@testable import Fleet

/// The radio returns, or another adapter serves, before an attempt that met its absence is over.
@Suite struct ConnectionMachineRadioTests {
  private let gone = LinkFailure(.serviceGone, "bluetoothd stopped")

  @Test func `F10 a failure that is older than the radio's return does not strand the board`() {
    var machine = ConnectionMachine()
    machine.advertised(at: .zero)
    machine.began(at: .zero)
    machine.radioLost(gone, at: .zero)
    machine.radioReturned(at: .seconds(1))
    machine.failed(gone, at: .seconds(1), jitter: 0, isRadioUsable: true)
    #expect(machine.step(at: .seconds(2)) == .connect)
  }

  @Test func `F166 what was wrong with the radio is no failure of the board once it is back`() {
    for later in [Duration.seconds(1), .seconds(600)] {
      var machine = ConnectionMachine()
      machine.advertised(at: .zero)
      machine.radioLost(gone, at: .zero)
      #expect(machine.lastFailure == gone)
      machine.radioReturned(at: later)
      #expect(machine.lastFailure == nil)
    }
  }

  @Test func `F10 a link that ends after the radio's return does not strand the board`() {
    for wasAnswered in [true, false] {
      var machine = ConnectionMachine()
      machine.advertised(at: .zero)
      machine.began(at: .zero)
      machine.linkUp()
      machine.linkEnded(gone, wasAnswered: wasAnswered, at: .seconds(1), jitter: 0, isRadioUsable: true)
      #expect(machine.step(at: .seconds(2)) == .connect)
    }
  }

  @Test func `F10 restarts of bluetoothd do not make a link a flapping one`() {
    var machine = ConnectionMachine()
    for second in 0..<ConnectionMachine.flapLimit + 1 {
      machine.linkUp()
      machine.linkEnded(
        gone, wasAnswered: true, at: .seconds(second), jitter: 0, isRadioUsable: true)
    }
    #expect(!machine.isFlapping)
  }

  /// Links that break, and the adapter that says it is off: whichever is heard first.
  @Test(
    arguments: [
      true, false,
    ])
  func `F18 an adapter that is switched off again and again does not make a link a flapping one`(
    isLinkFirst: Bool
  ) {
    var machine = ConnectionMachine()
    for second in 0..<ConnectionMachine.flapLimit * 2 {
      let now = Duration.seconds(second * 20)
      machine.linkUp()
      if !isLinkFirst { machine.radioLost(gone, at: now) }
      machine.linkEnded(
        LinkFailure(.linkLost, "the connection was lost"), wasAnswered: true, at: now, jitter: 0,
        isRadioUsable: isLinkFirst)
      if isLinkFirst { machine.radioLost(gone, at: now + .milliseconds(50)) }
      machine.radioReturned(at: now + .seconds(1))
    }
    #expect(!machine.isFlapping)
  }

  @Test func `F27 a radio that goes much later takes no loss back`() {
    var machine = ConnectionMachine()
    for second in 0..<ConnectionMachine.flapLimit {
      let now = Duration.seconds(second * 20)
      machine.linkUp()
      machine.linkEnded(
        LinkFailure(.linkLost, "the connection was lost"), wasAnswered: true, at: now, jitter: 0,
        isRadioUsable: true)
      machine.radioLost(gone, at: now + ConnectionMachine.radioLossWindow)
      machine.radioReturned(at: now + .seconds(10))
    }
    #expect(machine.isFlapping)
  }

  @Test func `a radio that is still away strands the board`() {
    var machine = ConnectionMachine()
    machine.advertised(at: .zero)
    machine.began(at: .zero)
    machine.failed(gone, at: .seconds(1), jitter: 0, isRadioUsable: false)
    #expect(machine.step(at: .seconds(3_600)) == .wait(until: nil))
  }
}
