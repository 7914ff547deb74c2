import BoardKit
import FleetModel
import Testing

@testable import Fleet

/// The radio returns, or another adapter serves, before an attempt that met its absence is over.
@Suite struct ConnectionMachineRadioTests {
  private let gone = LinkFailure(.serviceGone, "bluetoothd has left the bus")

  @Test("F10 a failure that is older than the radio's return does not strand the board")
  func failedAfterReturn() {
    var machine = ConnectionMachine()
    machine.sighted(at: .zero)
    machine.began(at: .zero)
    machine.radioLost(gone)
    machine.radioReturned(at: .seconds(1))
    machine.failed(gone, at: .seconds(1), jitter: 0, isRadioUsable: true)
    #expect(machine.step(at: .seconds(2)) == .connect)
  }

  @Test("F10 a link that ends after the radio's return does not strand the board")
  func endedAfterReturn() {
    for wasAnswered in [true, false] {
      var machine = ConnectionMachine()
      machine.sighted(at: .zero)
      machine.began(at: .zero)
      machine.linkUp()
      machine.linkEnded(gone, wasAnswered: wasAnswered, at: .seconds(1), jitter: 0, isRadioUsable: true)
      #expect(machine.step(at: .seconds(2)) == .connect)
    }
  }

  @Test("F10 restarts of bluetoothd do not make a link a flapping one")
  func restartsAreNoFlapping() {
    var machine = ConnectionMachine()
    for second in 0..<ConnectionMachine.flapLimit + 1 {
      machine.linkUp()
      machine.linkEnded(
        gone, wasAnswered: true, at: .seconds(second), jitter: 0, isRadioUsable: true)
    }
    #expect(!machine.isFlapping)
  }

  @Test func aRadioThatIsStillAwayStrandsTheBoard() {
    var machine = ConnectionMachine()
    machine.sighted(at: .zero)
    machine.began(at: .zero)
    machine.failed(gone, at: .seconds(1), jitter: 0, isRadioUsable: false)
    #expect(machine.step(at: .seconds(3_600)) == .wait(until: nil))
  }
}
