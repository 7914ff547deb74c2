import FleetModel
import Testing

@testable import Fleet

@Suite struct SampleRateMonitorTests {
  /// What is found in each span of a minute, at 100 Hz, by what comes, is lost and comes twice in a second.
  private func found(
    came: Double, lost: Double = 0, doubled: Double = 0, tolerance: Double = 0.05, rate: Double = 100
  ) -> [RateFault?] {
    var watch = SampleRateMonitor(period: .seconds(1 / rate), tolerance: tolerance)
    return (0...600).compactMap { beat in
      let seconds = Double(beat) / 10
      let counts = SampleRateMonitor.Counts(
        came: Int(seconds * came) + 1, lost: Int(seconds * lost), doubled: Int(seconds * doubled))
      return watch.update(with: counts, uptime: .seconds(seconds))
    }
  }

  @Test(arguments: [95.5, 99, 100, 101, 104.5])
  func `F146 as many samples as asked, or nearly, are fine`(rate: Double) {
    let found = found(came: rate)
    #expect(found.count >= 5 && found.allSatisfy { $0 == nil })
  }

  @Test(arguments: [93.0, 80, 50, 1])
  func `F146 fewer samples that nobody lost say that the sensor is slow`(rate: Double) {
    #expect(found(came: rate).allSatisfy { $0?.kind == .slow && $0?.isLow == true })
  }

  @Test(
    arguments: [1.5, 5, 30])
  func `F146 samples that were lost say that the link carries less than is asked, however few`(lost: Double)
    throws
  {
    let found = found(came: 100 - lost, lost: lost)
    #expect(found.allSatisfy { $0?.kind == .missing && $0?.isLow == true })
    let fault = try #require(found.first ?? nil)
    #expect(fault.fields.map(\.0) == ["expected", "came", "lost", "doubled"])
    let reason = fault.reason(asked: 1_240)
    #expect(reason.code == .samplesMissing && reason.sentence.contains("1240 samples a second"))
  }

  @Test(
    arguments: [107.0, 120, 200])
  func `F146 more samples say that the sensor is fast, or that packets come twice unnoticed`(rate: Double) {
    #expect(found(came: rate).allSatisfy { $0?.kind == .fast && $0?.isLow == false })
  }

  @Test func `F147 packets that came twice are told, whatever else`() {
    #expect(found(came: 100, doubled: 1).allSatisfy { $0?.kind == .doubled })
  }

  @Test func `F146 sensors have tolerances of their own, and slow ones longer spans`() {
    let modules = ["accelerometer", "magnetometer", "ambient-light", "barometer"]
    #expect(Set(modules).isSubset(of: StreamCatalogue.all.map(\.module)))
    let tolerances = (modules + [nil]).map(SampleRateMonitor.tolerance(ofModule:))
    #expect(tolerances == [0.05, 0.1, 0.2, 0.5, 0.05])
    #expect(found(came: 80, tolerance: 0.5).allSatisfy { $0 == nil })
    #expect(found(came: 0.8, rate: 1).count == 3, "of twenty seconds each, in a minute")
    // Four samples in half a minute tell nothing.
    #expect(found(came: 0.01, rate: 0.13).allSatisfy { $0 == nil })
  }

  @Test func `nothing is said before the first sample`() {
    var watch = SampleRateMonitor(period: .milliseconds(10), tolerance: 0.05)
    #expect(
      (0...1_000).allSatisfy { watch.update(with: SampleRateMonitor.Counts(), uptime: .seconds($0)) == nil })
  }
}
