import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct KnownRunsTests {
  private let selection: StreamSelection

  init() throws { selection = try TestBoard.metaMotionS.select([("pressure", [:])]) }

  private static let barometer = SensorRun.Unit.sensor(.barometer)

  @Test func `what runs is known from a plan's end on`() throws {
    var known = KnownRuns()
    let plan = known.order(selection, proved: [])
    #expect(known.isOrdered)
    known.begin(selection.setup)
    #expect(known.running == nil)
    // A plan that fails leaves something that may be stopped.
    #expect(known.begun == selection.setup)
    known.reconcile(selection.setup, plan, isRead: true, .init(stopped: [:], started: [Self.barometer]))
    #expect(known.running == selection.setup)
    #expect(known.order(selection, proved: []).isEmpty)
    known.invalidateCachedState()
    #expect(known.running == nil)
    #expect(!known.order(selection, proved: []).isEmpty)
  }

  @Test(
    arguments: [
      (true, [barometer], .readback),
      (false, [barometer], .linkWrite),
      (true, [], .linkWrite),
    ] as [(Bool, Set<SensorRun.Unit>, Evidence)])
  func `a start is proved by settings and switches that were read`(
    isRead: Bool, started: Set<SensorRun.Unit>, evidence: Evidence
  ) {
    var known = KnownRuns()
    let plan = known.order(selection, proved: [])
    known.reconcile(selection.setup, plan, isRead: isRead, .init(stopped: [:], started: started))
    #expect(known.evidence == evidence)
  }

  @Test(arguments: [(false, .readback), (true, .linkWrite), (nil, .linkWrite)] as [(Bool?, Evidence)])
  func `a stop is proved by a unit that says it is off`(answer: Bool?, evidence: Evidence) throws {
    var known = KnownRuns()
    known.keep(selection.setup)
    let nothing = try TestBoard.metaMotionS.select([])
    let plan = known.order(nothing, proved: [])
    let stopped = answer.map { [Self.barometer: $0] } ?? [:]
    known.reconcile(nothing.setup, plan, isRead: true, .init(stopped: stopped, started: []))
    #expect(known.evidence == evidence)
  }

  @Test func `settings nobody has read are doubted until they are`() {
    var known = KnownRuns()
    let plan = known.order(selection, proved: [])
    known.configure(plan, unread: [Self.barometer])
    #expect(known.unverified == [Self.barometer])
    known.configure(plan, unread: [])
    #expect(known.unverified.isEmpty)
  }
}
