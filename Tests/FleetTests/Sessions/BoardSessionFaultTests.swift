import BoardKit
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Faults of a link that is up, with the true times of a building.
@Suite(.timeLimit(.minutes(20)))
struct BoardSessionFaultTests {
  private typealias Rig = SupervisorRig

  @Test
  func `F24 five hundred packets while nobody read, of which 278 found room: a gap with its count is told`()
    throws
  {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(3))
      let link = await rig.radio.link
      // Ten seconds at 50 Hz.
      await link?.change { $0.isSilent = true }
      await rig.pass(.milliseconds(4_900))
      for _ in 0..<100 { await link?.send([0x20]) }
      await link?.change { $0.isSilent = false }
      await rig.pass(.seconds(3))
      return await (
        rig.log.published(.dataGap).map(\.0), rig.board.state.lastDay.samplesLost, rig.board.state.link
      )
    }
    let (gaps, lost, link) = try #require(outcome)
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1)
    #expect((135...155).contains(Int(gap.fields["count"]?.integer ?? 0)))
    #expect(gap.fields["reason"] == "radio")
    #expect((135...155).contains(lost))
    #expect(link == .streaming)
  }

  @Test func `F25 the session subscribes before it starts anything, and counts what comes early`() throws {
    let outcome = try Rig.play(plan: [.opens(.init(chatter: ([0x30], .milliseconds(20))))]) { rig in
      await rig.streams()
      return await (rig.radio.link?.isSubscribed, rig.counters.value(of: .packetsUnwanted))
    }
    let (isSubscribed, unwanted) = try #require(outcome)
    #expect(isSubscribed == true)
    #expect(unwanted > 0)
  }

  @Test
  func `F28 a command that a mute board leaves unanswered is unknown after 5 s, and the link is made anew`()
    throws
  {
    let outcome = try Rig.play { rig in
      await rig.streams()
      // The first battery reading is over, so nothing but the command can find out.
      await rig.pass(.seconds(1))
      let start = rig.world.uptime
      let link = await rig.radio.link
      await link?.change { $0.isMute = true }
      let result = await rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(60), .silent)
      let answered = rig.world.uptime
      let sent = await link?.written.count { $0.byte == 0x04 }
      let again = await rig.streams(after: answered)
      return (result, answered - start, sent, again - answered)
    }
    let (result, time, sent, again) = try #require(outcome)
    guard case .unknown = result else {
      Issue.record("\(result)")
      return
    }
    #expect(time >= .seconds(5) && time <= .milliseconds(5_200))
    #expect(sent == 1, "a command that may act is never repeated")
    #expect(again <= .seconds(15))
  }

  @Test func `F28 a board that leaves one question unanswered and answers the next keeps its link`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      let link = await rig.radio.link
      await link?.change { $0.isMute = true }
      async let result = rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(60), .silent)
      await rig.pass(.milliseconds(4_500))
      await link?.change { $0.isMute = false }
      _ = await result
      await rig.pass(.seconds(20))
      return await (rig.radio.links.count, rig.log.types(of: .linkLost))
    }
    let (links, lost) = try #require(outcome)
    #expect(links == 1 && lost.isEmpty)
  }

  @Test func `F55 a silent stream is started anew once within 5 s, then told; its return is told, too`()
    throws
  {
    let outcome = try Rig.play(plan: [.opens(.init(isSilent: true))]) { rig in
      await rig.streams()
      let start = rig.world.uptime
      while await rig.log.published(.streamSilent).isEmpty { await rig.pass(.milliseconds(50)) }
      let link = await rig.radio.link
      let starts = await link?.written.filter { $0.byte == 0x02 }.map { $0.at - start } ?? []
      let told = await rig.log.times(of: .streamSilent).map { $0 - start }
      await rig.pass(.seconds(60))
      let startsLater = await link?.written.count { $0.byte == 0x02 }
      await link?.change { $0.isSilent = false }
      await rig.pass(.seconds(1))
      return await (starts, told, startsLater, rig.log.types(of: .streamSilent))
    }
    let (starts, told, startsLater, types) = try #require(outcome)
    #expect(starts.count == 2 && (starts.last ?? .zero) <= .milliseconds(5_300))
    #expect(startsLater == 2)
    #expect((told.first ?? .zero) <= .milliseconds(10_600))
    #expect(types == ["silent", "recovered"])
  }

  @Test func `F55 a silent stream that a new start helps is no news`() throws {
    let outcome = try Rig.play(plan: [.opens(.init(isSilent: true))]) { rig in
      await rig.streams()
      let link = await rig.radio.link
      while await link?.written.count(where: { $0.byte == 0x02 }) == 1 { await rig.pass(.milliseconds(20)) }
      await link?.change { $0.isSilent = false }
      await rig.pass(.seconds(30))
      return await (rig.log.types(of: .streamSilent), rig.board.state.link)
    }
    let (types, link) = try #require(outcome)
    #expect(types.isEmpty && link == .streaming)
  }

  @Test func `F55 streams that nobody asked for are counted, and switched off within 5 s`() throws {
    let outcome = try Rig.play(plan: [.opens(.init(chatter: ([0x30], .milliseconds(10))))]) { rig in
      await rig.streams()
      let start = rig.world.uptime
      await rig.pass(.seconds(10))
      let link = await rig.radio.link
      return await (
        link?.written.filter { $0.byte == 0x05 }.map { $0.at - start } ?? [],
        rig.counters.value(of: .packetsUnwanted), rig.board.state.link
      )
    }
    let (ends, unwanted, link) = try #require(outcome)
    #expect(ends.count == 1 && (ends.first ?? .seconds(99)) <= .seconds(5))
    #expect(unwanted > 0)
    #expect(link == .streaming)
  }

  @Test(
    arguments: [19, 20])
  func `F56 nineteen unreadable packets in ten seconds are counted, the twentieth ends the link`(count: Int)
    throws
  {
    let outcome = try Rig.play { rig in
      await rig.streams()
      let link = await rig.radio.link
      for _ in 0..<count { await link?.send([0xFF, 0xFF]) }
      await rig.pass(.seconds(20))
      return await (
        rig.counters.value(of: .packetsMalformed), rig.radio.links.count, rig.board.state.link
      )
    }
    let (malformed, links, link) = try #require(outcome)
    #expect(malformed == count)
    #expect(links == (count < 20 ? 1 : 2))
    #expect(link == .streaming)
  }

  @Test func `F125 a poll whose answer cannot be read fails alone: the link stays, and samples go on`() throws
  {
    var profile = Profile()
    profile.streams = [
      "acceleration": .acceleration(50),
      "battery": StreamRequest(name: "battery", configuration: ["every": "1s"]),
    ]
    let outcome = try Rig.play(profile: profile) { rig in
      await rig.streams()
      let link = await rig.radio.link
      await link?.change { $0.answersNonsense = true }
      await rig.pass(.seconds(120))
      return await (rig.radio.links.count, rig.log.types(of: .linkLost), rig.board.state.link)
    }
    let (links, lost, link) = try #require(outcome)
    #expect(links == 1 && lost.isEmpty && link == .streaming)
  }

  @Test func `F124 after four losses a board that is told to reset comes back at once, and no loss is told`()
    throws
  {
    let outcome = try Rig.play { rig in
      for _ in 0..<4 {
        await rig.streams(after: rig.world.uptime)
        await rig.pass(.seconds(5))
        await rig.radio.link?.lose(LinkFailure(.linkLost, "the connection was lost"))
        await rig.pass(.milliseconds(100))
      }
      await rig.streams(after: rig.world.uptime)
      await rig.pass(.seconds(1))
      let start = rig.world.uptime
      async let outcome = rig.board.perform(.device(.reset), expires: rig.world.now + .seconds(60), .silent)
      await rig.pass(.milliseconds(200))
      let again = await rig.streams(after: start)
      _ = await outcome
      return await (again - start, rig.log.types(of: .linkLost))
    }
    let (again, lost) = try #require(outcome)
    #expect(again <= .seconds(5))
    #expect(lost == ["lost", "lost", "lost", "lost"])
  }
}
