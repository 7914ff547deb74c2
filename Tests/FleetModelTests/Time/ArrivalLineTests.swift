import FleetModel
import Testing

@Suite struct ArrivalLineTests {
  /// A line of packets 10 ms apart, to which 1000 more arrive `late` milliseconds late by their number.
  private func line(speed: Double = 1, _ late: (Int) -> Double) -> ArrivalLine {
    var line = ArrivalLine(at: Timestamp(nanoseconds: 1_000_000_000_000), packets: 80_000_000)
    for index in 1...3_000 {
      let sent = Double(index) * 10_000_000 * speed
      let arrival = Timestamp(nanoseconds: 1_000_000_000_000 + Int64(sent + late(index) * 1_000_000))
      line.note(line.lateness(of: arrival, after: 10_000_000), span: 10_000_000)
      _ = line.advance(by: 10_000_000)
    }
    return line
  }

  private func end(_ speed: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_000_000_000_000 + Int64(30_000_000_000 * speed))
  }

  @Test(
    arguments: [0.97, 0.999, 1, 1.002, 1.04])
  func `F143 rate and offset are followed, whatever most packets are late by`(speed: Double) {
    for late in [{ _ in 0.0 }, { $0 % 5 == 0 ? 0 : 30 }, { Double(($0 * 7) % 11) * 4 }] as [(Int) -> Double] {
      let line = line(speed: speed, late)
      #expect(abs(line.rate - (speed - 1)) < 0.001)
      #expect(abs((line.time - end(speed)).inSeconds) < 0.003)
    }
  }

  @Test func `F145 lateness that grows behind a rate that was right is no rate`() {
    // From the first second on a third of what is sent does not arrive.
    let line = line { $0 < 200 ? 0 : Double($0 - 200) * 5 }
    #expect(line.isProven && line.rate < 2 * ArrivalLine.slowest)
    // A sensor that is as slow from the start is followed.
    #expect(self.line(speed: 1.5) { _ in 0 }.rate > 0.45)
  }

  @Test func `F143 what it is off is made up for slowly: no step differs by more than 15 % from the board's`()
  {
    var line = ArrivalLine(at: Timestamp(nanoseconds: 0), packets: 80_000_000)
    line.correct(by: -200_000_000)
    var before = line.time
    for _ in 0..<1_000 {
      let time = line.advance(by: 10_000_000)
      let step = (time - before).inSeconds
      #expect(step > 0.0084 && step <= 0.01)
      before = time
    }
    #expect(line.pending == 0)
    #expect(line.time == Timestamp(nanoseconds: 10_000_000_000 - 200_000_000))
  }

  @Test func `jitter is what clumps last`() {
    let line = line { Double(4 - $0 % 5) * 10 }
    #expect(line.jitter > 35_000_000 && line.jitter < 50_000_000)
    #expect(line.tolerance - line.base <= 3_000_000)
  }

  @Test func `a rate that was found is gone by at once`() {
    var line = ArrivalLine(at: Timestamp(nanoseconds: 0), packets: 80_000_000)
    line.adopt(rate: 0.25)
    #expect(line.spanned(1_000_000) == 1_250_000)
    #expect(line.advance(by: 8_000_000) == Timestamp(nanoseconds: 10_000_000))
    line.jump(by: 5_000_000)
    #expect(line.lateness(of: Timestamp(nanoseconds: 25_000_000), after: 8_000_000) == 0)
  }
}
