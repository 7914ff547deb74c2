import Testing

@testable import FleetModel

@Suite struct RolloutOptionsTests {
  @Test func `what is missing has its default`() {
    #expect(RolloutOptions(document: [:]) == RolloutOptions())
    #expect(RolloutOptions(document: RolloutOptions().document) == RolloutOptions())
  }

  @Test func `all keys are read as they are written`() {
    var options = RolloutOptions()
    (options.canaries, options.namedCanaries) = (3, [BoardID(BluetoothAddress(rawValue: 7))])
    (options.soak, options.perHour, options.growth, options.mostPerHour) = (.seconds(90), 2, 1.5, 9)
    (options.parallel, options.hours) = (1, [HoursOfDay(start: 1_320, end: 300)])
    (options.failPercent, options.judgedFrom, options.stranded) = (nil, 7, 0)
    (options.timeout, options.retries, options.allowsBootloader) = (.seconds(60), 0, true)
    options.isForced = true
    options.until = Timestamp(milliseconds: 1_763_671_234_000)
    #expect(RolloutOptions(document: options.document) == options)
  }

  @Test func `of what ends it each key has its own default, and 0 is never`() {
    #expect(RolloutOptions(document: ["abort": ["stranded": 2]]).failPercent == 10)
    #expect(RolloutOptions(document: ["abort": ["fail_pct": 0]]).failPercent == nil)
  }

  @Test func `hours are one span, or several`() {
    let night = HoursOfDay(start: 1_320, end: 300)
    #expect(RolloutOptions(document: ["hours": "22:00-05:00"]).hours == [night])
    #expect(RolloutOptions(document: ["hours": ["22:00-05:00"]]).hours == [night])
  }
}
