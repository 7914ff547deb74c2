import BoardKit
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// The battery's schedule on a link that is held.
@Suite(.timeLimit(.minutes(20)))
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

  @Test
  func `F205 a stream is read at a time of day of the site, once, and not again because there is a new link`()
    throws
  {
    let outcome = try Rig.play { rig in
      await rig.streams()
      let start = rig.world.now
      await rig.reads(at: start + .seconds(600), in: Zones.kolkata)
      await rig.pass(.seconds(900))
      await rig.radio.link?.lose(LinkFailure(.linkLost, "gone"))
      await rig.pass(.seconds(120))
      return await (start, rig.log.samples(of: "battery"), rig.log.times(of: .linkUp).count)
    }
    let (start, samples, links) = try #require(outcome)
    #expect(samples.count == 2 && links == 2)
    let pauses = samples.map { ($0 - start).inSeconds }
    #expect(pauses[0] < 60 && pauses[1] > 539 && pauses[1] < 605)
  }

  @Test func `F208 a stream whose reading fails at its time is read minutes later, and told as missed once`()
    throws
  {
    let outcome = try Rig.play { rig in
      await rig.streams()
      let start = rig.world.now
      await rig.reads(at: start + .seconds(600), in: .utc)
      await rig.pass(.seconds(300))
      let link = await rig.radio.link
      await link?.change { $0.answersNonsense = true }
      await rig.pass(.seconds(500))
      await link?.change { $0.answersNonsense = false }
      await rig.pass(.seconds(600))
      return await (
        start, rig.log.samples(of: "battery"), rig.log.published(.contactMissed).map(\.0),
        rig.counters.value(of: .contactsMissed)
      )
    }
    let (start, samples, missed, counted) = try #require(outcome)
    #expect(missed.count == 1 && counted == 1)
    #expect(missed.first?.fields["poll"] == "battery" && missed.first?.message != nil)
    #expect(samples.count == 2 && samples.allSatisfy { $0 - start < .seconds(1_300) })
  }

  @Test func `a stream that is started and cannot be read says why, without waiting`() throws {
    let played = try Rig.play { rig in
      await rig.streams()
      await rig.radio.link?.change { $0.answersNonsense = true }
      let start = rig.world.uptime
      let request = StreamRequest(name: "battery", configuration: ["every": "1s", "record": true])
      let outcome = await rig.board.perform(
        .link(.streamStart(request, adjusted: [], duration: nil)), expires: rig.world.now + .seconds(30),
        .silent)
      return (outcome, rig.world.uptime - start)
    }
    let (outcome, time) = try #require(played)
    let words = "the answer is unreadable; the stream was stopped again"
    #expect(outcome == .failed(CommandFailure(.boardError, words)))
    #expect(time < .seconds(3))
  }

  @Test func `F207 what is due of a held board that is let go of is missed, counted and told once`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(2))
      _ = await BoardDrain.begin(rig.board)
      await rig.pass(.seconds(3_600))
      return await (
        rig.log.published(.contactMissed).map(\.0), rig.counters.value(of: .contactsMissed)
      )
    }
    let (missed, counted) = try #require(outcome)
    #expect(missed.count == 1 && counted == 1)
    #expect(missed.first?.fields["poll"] == "battery" && missed.first?.message == LinkPhaseRule.drained)
  }
}

extension SupervisorRig {
  /// The board's battery is a stream that is read at a time of day, and by nothing else.
  fileprivate func reads(at time: Timestamp, in zone: TimeZoneRules) async {
    var configuration = FleetConfiguration()
    (configuration.timeZone, configuration.schedules.battery) = (zone, .never)
    await board.change(to: configuration)
    let rule = ScheduleRule.daily(minute: zone.local(time).minute)
    var desired = await board.setup.desired
    desired.profile.link = .hold
    desired.profile.streams = [
      "battery": StreamRequest(name: "battery", configuration: ["every": rule.document, "record": true])
    ]
    await board.change(to: desired)
  }
}

extension EventLog {
  /// When samples of a stream were taken.
  fileprivate func samples(of stream: String) -> [Timestamp] {
    events.compactMap { event, _ in
      if case .live(let sample) = event, sample.stream == stream { sample.time } else { nil }
    }
  }
}
