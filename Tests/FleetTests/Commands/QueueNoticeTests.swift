import FleetModel
import Testing

@testable import Fleet

@Suite struct QueueNoticeTests {
  /// What was told, what is planned now, whether that is told; milliseconds after now.
  private static let cases: [(Int64?, Int64?, Bool)] = [
    (nil, nil, false), (nil, 60_000, true), (60_000, nil, false), (60_000, 60_000, false),
    (60_000, 119_000, false), (60_000, 121_000, true), (121_000, 60_000, true),
    (36_000_000, 39_000_000, false), (36_000_000, 41_000_000, true), (36_000_000, 32_000_000, true),
  ]

  @Test(arguments: cases)
  func `told at first, and again when the plan moved much`(told: Int64?, planned: Int64?, isTold: Bool) {
    var notice = QueueNotice()
    _ = notice.shouldNotify(told.map { .at($0) }, at: .at(0))
    #expect(notice.shouldNotify(planned.map { .at($0) }, at: .at(0)) == isTold)
    #expect(notice.shouldNotify(planned.map { .at($0) }, at: .at(0)) == false, "once")
  }

  @Test func `a plan that creeps is told once it has come far`() {
    var notice = QueueNotice()
    _ = notice.shouldNotify(.at(60_000), at: .at(0))
    #expect(notice.shouldNotify(.at(110_000), at: .at(0)) == false)
    #expect(notice.shouldNotify(.at(125_000), at: .at(0)) == true)
  }
}
