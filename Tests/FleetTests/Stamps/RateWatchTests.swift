import FleetModel
import Testing

@testable import Fleet

@Suite struct RateWatchTests {
  /// What is found in each span of a minute, at 100 Hz, by what comes, is lost and comes twice in a second.
  private func found(
    came: Double, lost: Double = 0, doubled: Double = 0, tolerance: Double = 0.05, rate: Double = 100
  ) -> [RateFault?] {
    var watch = RateWatch(period: .seconds(1 / rate), tolerance: tolerance)
    return (0...600).compactMap { beat in
      let seconds = Double(beat) / 10
      let counts = RateWatch.Counts(
        came: Int(seconds * came) + 1, lost: Int(seconds * lost), doubled: Int(seconds * doubled))
      return watch.look(at: counts, uptime: .seconds(seconds))
    }
  }

  @Test("F146 as many samples as asked, or nearly, are fine", arguments: [95.5, 99, 100, 101, 104.5])
  func fine(rate: Double) {
    let found = found(came: rate)
    #expect(found.count >= 5 && found.allSatisfy { $0 == nil })
  }

  @Test("F146 fewer samples that nobody lost say that the sensor is slow", arguments: [93.0, 80, 50, 1])
  func slow(rate: Double) {
    #expect(found(came: rate).allSatisfy { $0?.kind == .slow && $0?.isLow == true })
  }

  @Test(
    "F146 samples that were lost say that the link carries less than is asked, however few",
    arguments: [1.5, 5, 30])
  func missing(lost: Double) throws {
    let found = found(came: 100 - lost, lost: lost)
    #expect(found.allSatisfy { $0?.kind == .missing && $0?.isLow == true })
    let fault = try #require(found.first ?? nil)
    #expect(fault.fields.map(\.0) == ["expected", "came", "lost", "doubled"])
    let reason = fault.reason(asked: 1_240)
    #expect(reason.code == .samplesMissing && reason.sentence.contains("1240 samples a second"))
  }

  @Test(
    "F146 more samples say that the sensor is fast, or that packets come twice unnoticed",
    arguments: [107.0, 120, 200])
  func fast(rate: Double) {
    #expect(found(came: rate).allSatisfy { $0?.kind == .fast && $0?.isLow == false })
  }

  @Test("F147 packets that came twice are told, whatever else")
  func doubled() {
    #expect(found(came: 100, doubled: 1).allSatisfy { $0?.kind == .doubled })
  }

  @Test("F146 sensors have tolerances of their own, and slow ones longer spans")
  func tolerances() {
    let tolerances = ["accelerometer", "magnetometer", "light", "barometer", nil].map(
      RateWatch.tolerance(ofModule:))
    #expect(tolerances == [0.05, 0.1, 0.2, 0.5, 0.05])
    #expect(found(came: 80, tolerance: 0.5).allSatisfy { $0 == nil })
    #expect(found(came: 0.8, rate: 1).count == 3, "of twenty seconds each, in a minute")
    // Four samples in half a minute tell nothing.
    #expect(found(came: 0.01, rate: 0.13).allSatisfy { $0 == nil })
  }

  @Test func nothingIsSaidBeforeTheFirstSample() {
    var watch = RateWatch(period: .milliseconds(10), tolerance: 0.05)
    #expect((0...1_000).allSatisfy { watch.look(at: RateWatch.Counts(), uptime: .seconds($0)) == nil })
  }
}
