import Testing

@testable import BlueZ

/// When a scan counts as deaf.
@Suite struct ScanSilenceTests {
  @Test func `F20 after 80 s of silence everything is received, after 90 s the scan is deaf`() {
    var silence = ScanSilence(limit: .seconds(90))
    func verdict(_ seconds: Int, since start: Int = 0) -> ScanSilence.Verdict {
      silence.judge(isMissing: true, scanningSince: .seconds(start), at: .seconds(seconds))
    }
    #expect(verdict(0) == .fine(until: .seconds(80)))
    #expect(verdict(80) == .doubtful(until: .seconds(90)))
    #expect(verdict(90) == .deaf)
    _ = silence.received(at: .seconds(90))
    #expect(verdict(90) == .fine(until: .seconds(170)))
    // A scan that began anew is none that fell silent.
    #expect(verdict(200, since: 199) == .fine(until: .seconds(279)))
  }

  @Test func `F20 each restart in a row waits twice as long, up to 24 minutes, until something is received`()
  {
    var silence = ScanSilence(limit: .seconds(90))
    func wait() -> Duration {
      silence.judge(isMissing: true, scanningSince: .zero, at: .zero).end ?? .zero
    }
    #expect(wait() == .seconds(80))
    let waits = (0..<6).map { _ in
      silence.restarted()
      return wait()
    }
    #expect(waits == [170, 350, 710, 1_430, 1_430, 1_430].map { Duration.seconds($0) })
    _ = silence.received(at: .zero)
    #expect(wait() == .seconds(80))
  }

  @Test func `F20 where no board is missing silence says nothing, and counts from when one is`() {
    var silence = ScanSilence(limit: .seconds(90))
    func verdict(_ seconds: Int, isMissing: Bool) -> ScanSilence.Verdict {
      silence.judge(isMissing: isMissing, scanningSince: .zero, at: .seconds(seconds))
    }
    #expect(verdict(5_000, isMissing: false) == .fine(until: nil))
    #expect(verdict(5_001, isMissing: true) == .fine(until: .seconds(5_081)))
    let wasDoubtful = silence.received(at: .seconds(5_002))
    #expect(!wasDoubtful)
  }
}
