import FleetModel
import Testing

@testable import Fleet

/// What is kept of a board's log between runs of the daemon.
@Suite struct StoredLogStateTests {
  @Test func `survives a restart`() {
    var memory = StoredLogState()
    #expect(memory.document.isEmpty && StoredLogState(document: [:]) == memory)
    memory.made = ["acceleration": StreamRequest(name: "acceleration", configuration: ["rate_hz": 50])]
    memory.estimate = LogEstimate(entries: 3, capacity: 9, isLogging: true, time: .at(5), rate: 1.5)
    memory.level = .alarm
    memory.cleared = .at(1_000)
    memory.lastContact = .at(2_000)
    memory.foreign = [4, 2]
    memory.stoppedForBroker = true
    #expect(StoredLogState(document: memory.document) == memory)
  }
}
