import FleetModel
import Testing

@testable import Fleet

@Suite struct AlarmWatchTests {
  private static let broken = AlarmRule.findings(.example { $0.gateway.troubles.configurationError = "x" })

  @Test func `however often it is asked, it looks every five seconds`() {
    var watch = AlarmWatch()
    let looks = (0..<60).filter { watch.takeLook(at: .seconds($0)) }
    #expect(looks == Array(stride(from: 0, to: 60, by: 5)))
  }

  @Test func `the first look is published, and then what is different`() {
    var watch = AlarmWatch()
    #expect(watch.takeReport(at: .at(0)) == nil)
    watch.take(AlarmRule.findings(.example()), at: .at(1), uptime: .seconds(1))
    #expect(watch.takeReport(at: .at(1))?.count == 0)
    watch.take(AlarmRule.findings(.example()), at: .at(2), uptime: .seconds(6))
    #expect(watch.takeReport(at: .at(2)) == nil)
    watch.take(Self.broken, at: .at(3), uptime: .seconds(11))
    let report = watch.takeReport(at: .at(3))
    #expect(report?.count == 1 && report?.time == .at(3) && watch.report == report)
    #expect(watch.takeReport(at: .at(4)) == nil)
  }

  @Test func `an acknowledgement waits for no look`() {
    var watch = AlarmWatch()
    watch.take(Self.broken, at: .at(0), uptime: .zero)
    _ = watch.takeReport(at: .at(0))
    _ = watch.book.acknowledge(.init(code: .configurationError), by: "anna", at: .at(1))
    watch.acknowledged()
    #expect(watch.takeReport(at: .at(1))?.unacknowledged == 0)
  }

  @Test func `certificates are read at first, and then by the hour`() {
    var watch = AlarmWatch()
    #expect(watch.needsCertificates(at: .zero))
    watch.take([], at: .seconds(10))
    #expect(!watch.needsCertificates(at: .seconds(3_609)) && watch.needsCertificates(at: .seconds(3_610)))
  }
}
