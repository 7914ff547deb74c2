import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct CommitScheduleTests {
  private func words(_ changes: [UplinkChange]) -> [String] { changes.map { "\($0)" } }

  @Test func `the earliest request for a commit counts, and whoever is hurried waits for none`() {
    var watch = CommitSchedule()
    #expect(watch.wait(at: .zero) == nil && !watch.isDue(at: .zero, isHurried: true))
    let isEarlier = [2, 3, 1].map { watch.schedule(at: .seconds($0)) }
    #expect(isEarlier == [true, false, true])
    #expect(watch.wait(at: .zero) == .seconds(1))
    #expect(!watch.isDue(at: .milliseconds(999), isHurried: false))
    #expect(watch.isDue(at: .milliseconds(999), isHurried: true))
    #expect(watch.isDue(at: .seconds(1), isHurried: false))
    watch.commitBegan()
    #expect(watch.wait(at: .seconds(1)) == nil && watch.isCommitting)
  }

  @Test func `records wait to share a commit until they are many, and always while the disk refuses`() {
    var watch = CommitSchedule()
    #expect(
      [1, 499, 500].map { watch.span(sharedBy: $0) } == [CommitSchedule.span, CommitSchedule.span, .zero])
    _ = watch.refused(.full, at: .zero)
    #expect(watch.span(sharedBy: 500) == CommitSchedule.span)
  }

  @Test func `F134 a refusal is told once, keeps commits apart, and is over with the first success`() {
    var watch = CommitSchedule()
    let told = (1...2).map { _ in watch.refused(.full, at: .zero) }
    #expect(told[0] != nil && told[1] == nil)
    #expect(watch.isInTrouble(at: .zero) && watch.dropReason == .storageFull)
    #expect(watch.wait(at: .zero) == CommitSchedule.retryPause)
    #expect(!watch.isDue(at: .milliseconds(500), isHurried: true))
    #expect(watch.isDue(at: .seconds(1), isHurried: false))
    watch.asked(at: .seconds(1))
    let changes = watch.committed(at: .seconds(1))
    watch.answered()
    #expect(words(changes) == words([.storage(nil)]) && !watch.isInTrouble(at: .seconds(1)))
  }

  @Test func `F134 little room is told once, and samples are dropped for that reason`() {
    var watch = CommitSchedule()
    let told = (1...2).map { _ in watch.checked(DiskRoom.none) }
    #expect(told[0] != nil && told[1] == nil)
    #expect(watch.isLow && watch.isInTrouble(at: .zero) && watch.dropReason == .storageFull)
    let better = watch.checked(DiskRoom.unlimited)
    #expect(better == nil && !watch.isLow)
  }

  @Test
  func
    `F95 F134 a commit that takes long is trouble while it lasts, and slowness is told when it begins and ends`()
  {
    var watch = CommitSchedule()
    func commit(from start: Duration, taking span: Duration) -> [String] {
      watch.asked(at: start)
      let changes = watch.committed(at: start + span)
      watch.answered()
      return words(changes)
    }
    watch.asked(at: .zero)
    #expect(!watch.isInTrouble(at: .milliseconds(999)) && watch.isInTrouble(at: .seconds(1)))
    let times: [Duration] = [.zero, .milliseconds(999), .seconds(1), .seconds(2)]
    #expect(times.map { watch.untilTrouble(at: $0) } == [.seconds(1), .milliseconds(1), nil, nil])
    #expect(watch.dropReason == .storageLocked)
    watch.answered()
    #expect(watch.untilTrouble(at: .seconds(1)) == nil)
    let quick = commit(from: .seconds(5), taking: .seconds(2))
    #expect(quick.isEmpty)
    #expect(commit(from: .seconds(10), taking: .milliseconds(2_001)) == words([.slow(true)]))
    #expect(commit(from: .seconds(20), taking: .milliseconds(1_500)).isEmpty)
    #expect(commit(from: .seconds(30), taking: .seconds(1)) == words([.slow(false)]))
  }
}
