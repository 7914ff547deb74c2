import FleetModel
import Testing

@testable import Fleet

@Suite struct ClockJumpTests {
  @Test func `F154 a start before the board was seen last is a clock that jumped back, and no reset`() {
    let start = Timestamp(milliseconds: 1_763_671_000_000)
    var record = BootRecord()
    _ = record.observe(resetID: 3, bootTime: start, at: start + .seconds(7_200))
    let jumped = record.observe(resetID: 3, bootTime: start + .seconds(600), at: start + .seconds(9_000))
    #expect(!jumped && record.count == 1)
    // It cannot have run when it was seen last.
    let reset = record.observe(resetID: 3, bootTime: start + .seconds(9_500), at: start + .seconds(9_600))
    #expect(reset && record.count == 2)
  }
}
