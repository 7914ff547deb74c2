import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// The battery's schedule on a link that is held.
@Suite(.timeLimit(.minutes(10)))
struct StreamPollsTests {
  private typealias Rig = SupervisorRig

  @Test func `F187 a battery poll that fails is tried again after minutes, and counted once`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(2))
      let first = await rig.board.state.battery.time
      var configuration = FleetConfiguration()
      configuration.schedules.battery = .every(.seconds(1_800))
      await rig.board.change(to: configuration)
      let link = await rig.radio.link
      await link?.change { $0.answersNonsense = true }
      await rig.pass(.seconds(1_920))
      let missed = rig.counters.value(of: .contactsMissed)
      await link?.change { $0.answersNonsense = false }
      await rig.pass(.seconds(600))
      return await (first, missed, rig.board.state.battery.time, rig.board.state.link)
    }
    let (first, missed, again, link) = try #require(outcome)
    let pause = try #require(first.flatMap { first in again.map { $0 - first } })
    #expect(missed == 1 && link == .streaming)
    #expect(pause > .seconds(1_900) && pause < .seconds(2_500), "not half an hour later")
  }

  @Test func `F185 the battery is read at a time of day of the site`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(2))
      let start = rig.world.now
      var configuration = FleetConfiguration()
      configuration.timeZone = Zones.kolkata
      configuration.schedules.battery = .daily(
        minute: Zones.kolkata.local(start + .seconds(600)).minute)
      await rig.board.change(to: configuration)
      await rig.pass(.seconds(900))
      return await (start, rig.board.state.battery.time)
    }
    let (start, read) = try #require(outcome)
    let pause = try #require(read) - start
    #expect(pause > .seconds(539) && pause < .seconds(605))
  }
}
