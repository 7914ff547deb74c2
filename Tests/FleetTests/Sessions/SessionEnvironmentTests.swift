import FleetModel
import Testing

@testable import Fleet

/// MQTT API 3.2: `boot` counts the board's resets as this fleet has seen them.
@Suite struct BootRecordTests {
  private func observed(_ observations: [(Int, Timestamp)]) -> (record: BootRecord, resets: [Bool]) {
    var record = BootRecord()
    let resets = observations.map { record.observe(resetID: $0.0, bootTime: $0.1) }
    return (record, resets)
  }

  @Test func `starts at one`() {
    let (record, resets) = observed([(7, .at(0))])
    #expect(record.count == 1 && record.resetID == 7 && record.bootTime == .at(0))
    #expect(resets == [false])
  }

  @Test func `the same boot is counted once`() {
    #expect(observed([(7, .at(0)), (7, .at(500)), (7, .at(-800))]).record.count == 1)
  }

  @Test func `another reset count is a reset`() {
    let (record, resets) = observed([(7, .at(0)), (8, .at(60_000)), (8, .at(60_000)), (9, .at(90_000))])
    #expect(record.count == 3 && resets == [false, true, false, true])
  }

  @Test
  func `a count that wraps is a reset, too`() {
    #expect(observed([(7, .at(0)), (0, .at(60_000))]).record.count == 2)
  }

  @Test func `firmware that does not advance its count gives itself away by its start time`() {
    #expect(observed([(7, .at(0)), (7, .at(10_001))]).record.count == 2)
    #expect(observed([(7, .at(0)), (7, .at(10_000))]).record.count == 1)
  }

  @Test func `a crystal 40 ppm off moves the start slowly and is no reset`() {
    let days = (0...30).map { (7, Timestamp.at(Int64($0) * 3_456)) }
    #expect(observed(days).record.count == 1)
  }

  @Test
  func `a start that moves back is a clock that was set, no reset`() {
    #expect(observed([(7, .at(0)), (7, .at(-3_600_000))]).record.count == 1)
  }
}
