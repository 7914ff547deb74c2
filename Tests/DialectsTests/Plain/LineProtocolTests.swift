import Dialects
import FleetModel
import Testing

/// MQTT contract 1.7, lane `lp`.
@Suite struct LineProtocolTests {
  private func lines(_ change: (inout SampleBatch) -> Void = { _ in }, gateway: String = "gw") -> [String] {
    var batch = SampleBatch(
      board: .example, stream: "acceleration",
      fields: [.init("ax_g", "g", decimals: 5), .init("steps", "", .integer)], session: .example, boot: 1,
      sequence: 7, gapBefore: 0, clock: ClockQuality(source: .boardTick, errorMilliseconds: 0.8),
      configuration: nil)
    batch.times = [
      Timestamp(nanoseconds: 1_763_671_234_567_123_999), Timestamp(nanoseconds: 1_763_671_234_577_121_000),
    ]
    batch.values = [0.012, 3, -0.5, 4]
    change(&batch)
    return String(decoding: LineProtocol.lines(batch, gateway: gateway), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `a line per sample with tags fields and a stamp in microseconds`() {
    let beginning = "acceleration,board=e5a1c2d3f4b6,gw=gw,origin=stream "
    #expect(
      lines() == [
        beginning + "ax_g=0.012,steps=3i,seq=7i,err_ms=0.8 1763671234567123",
        beginning + "ax_g=-0.5,steps=4i,seq=8i,err_ms=0.8 1763671234577121", "",
      ])
  }

  @Test func `what is declared whole is always an integer, and all else never`() {
    let whole = lines { $0.values = [1, 2.6, -2, 0] }
    #expect(whole[0].contains(" ax_g=1,steps=3i,seq="))
    #expect(whole[1].contains(" ax_g=-2,steps=0i,seq="))
  }

  @Test func `what was logged says so, and a hole stands on the first line behind it`() {
    let logged = lines {
      $0.origin = .flash
      $0.gapBefore = 12
    }
    #expect(logged[0].contains(",origin=flash ") && logged[0].contains(",gap_before=12i "))
    #expect(logged[1].contains(",origin=flash ") && !logged[1].contains("gap_before"))
  }

  @Test func `doubtful values and times say so on every line`() {
    let doubtful = lines {
      $0.clock = ClockQuality(source: .unknown, errorMilliseconds: nil)
      $0.doubts = [.configUnverified]
    }
    let reasons = doubtful.dropLast().map {
      $0.contains("i,quality_reasons=\"config-unverified,clock-unknown\" ")
    }
    #expect(reasons == [true, true])
    #expect(!doubtful[0].contains("err_ms"))
  }

  @Test func `a value that is no number is left out, and the sample stays`() {
    let lines = lines { $0.values = [.nan, 3, .infinity, 4] }
    #expect(lines[0].contains("stream steps=3i,seq=7i"))
    #expect(lines[1].contains("stream steps=4i,seq=8i"))
  }

  @Test(
    arguments: [
      ("a b", "a\\ b,"), ("a,b", "a\\,b,"), ("a=b", "a=b,"), ("a\nb", "a_b,"), ("a\\", "a_,"), ("", "_,"),
    ])
  func `nothing in a name ends it early`(_ stream: String, _ measurement: String) {
    #expect(lines { $0.stream = stream }[0].hasPrefix(measurement + "board="))
    #expect(lines().count == 3)
  }

  @Test func `a tag's equals sign is escaped, too`() {
    #expect(lines(gateway: "a=b, c")[0].contains(",gw=a\\=b\\,\\ c,origin="))
  }
}
