import FleetModel
import Testing

@testable import metafleet

@Suite struct AccelerationMeasurementTests {
  @Test func `samples of the first packet were measured before it arrived, and do not count for the rate`() {
    var measured = AccelerationMeasurement()
    #expect(measured.magnitude == nil && measured.rate == nil)
    for packet in 0...50 {
      measured.take(
        [[0, 0, 1], [0, 0, -1], [0.6, 0, 0.8]], at: Timestamp(milliseconds: 1_000 + Int64(packet) * 60))
    }
    #expect(measured.samples == 153)
    // 150 samples in 3 s.
    #expect(measured.rate == 50)
    #expect(measured.magnitude.map { abs($0 - 1) < 1e-9 } == true)
  }

  @Test func `one packet has no rate, and one without samples changes nothing`() {
    var measured = AccelerationMeasurement()
    measured.take([[0, 3, 4]], at: Timestamp(milliseconds: 1_000))
    measured.take([], at: Timestamp(milliseconds: 2_000))
    #expect(measured.samples == 1 && measured.rate == nil && measured.magnitude == 5)
  }
}
