import BoardKit
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// When boards whose link is not held are called, and when they are left.
@Suite(.timeLimit(.minutes(20)))
struct VisitTests {
  private typealias Rig = SupervisorRig

  private static func polled(every: String) -> Profile {
    var profile = Profile()
    profile.streams = [
      "battery": StreamRequest(name: "battery", configuration: ["every": .string(every)])
    ]
    return profile
  }

  @Test func `a board is called when it is due and left between`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let first = rig.world.uptime
      let state = await rig.board.state
      await rig.pass(.seconds(3 * 3_600 + 60))
      return await (
        first, state, rig.log.times(of: .linkUp), rig.log.availability.map(\.0), rig.log.types(of: .linkLost)
      )
    }
    let (first, state, contacts, availability, lost) = try #require(outcome)
    #expect(first < .seconds(30))
    #expect(contacts.count == 4)
    for (one, next) in zip(contacts, contacts.dropFirst()) {
      #expect(next - one >= .seconds(3_599) && next - one < .seconds(3_620))
    }
    #expect(availability.last == .visited && lost.isEmpty)
    let next = try #require(state.contact.next)
    #expect(state.link == .logging && next - state.time > .seconds(3_500))
    #expect(state.log.usedPercent != nil)
  }

  @Test func `to hear a board that rests, again and again, wakes nobody`() throws {
    let jobs = try Rig.visit { rig, _ -> Int in
      await rig.disconnects()
      await rig.pass(.seconds(60))
      let before = rig.world.jobsRun
      for _ in 0..<100 {
        await rig.hear(rig.board)
        await rig.pass(.milliseconds(10))
      }
      return rig.world.jobsRun - before
    }
    // Hearing and passing themselves; a supervisor that looks through its due work takes three times as many.
    #expect(try #require(jobs) < 2_000)
  }

  @Test func `a command has the board called at once; one in mode queue waits for the next contact`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let start = rig.world.uptime
      _ = await rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(30), .silent)
      let now = rig.world.uptime - start
      await rig.disconnects()
      _ = await rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(86_400), mode: .queue, .silent)
      return (now, rig.world.uptime - start)
    }
    let (now, queued) = try #require(outcome)
    #expect(now < .seconds(15))
    #expect(queued > .seconds(3_500) && queued < .seconds(3_640))
  }

  @Test func `a changed profile is brought to the board at once`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      var desired = await rig.board.setup.desired
      desired.profile.logs["pressure"] = StreamRequest(name: "pressure", configuration: [:])
      await rig.board.change(to: desired)
      await rig.pass(.seconds(30))
      await rig.disconnects()
      return await (flash.requests.keys.sorted(), rig.board.state.isInSync)
    }
    let (loggers, isInSync) = try #require(outcome)
    #expect(loggers == ["acceleration", "pressure"] && isInSync == true)
  }

  @Test func `what is read every five minutes is read on a short contact each time`() throws {
    let outcome = try Rig.play(profile: Self.polled(every: "5m")) { rig in
      await rig.pass(.seconds(1_520))
      return await (rig.log.times(of: .linkUp), rig.log.batches)
    }
    let (contacts, batches) = try #require(outcome)
    #expect((5...7).contains(contacts.count))
    #expect(batches >= contacts.count)
  }

  @Test func `a contact that does not come about is told once`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      await rig.radio.plan(.number(1), [], always: .fails(.unreachable))
      let told = await rig.published(.contactMissed)
      let time = rig.world.uptime
      await rig.pass(.seconds(1_200))
      return await (
        told, time, rig.log.published(.contactMissed).count, rig.board.state.contact.next,
        rig.counters.value(of: .contactsMissed)
      )
    }
    let (told, time, count, next, counted) = try #require(outcome)
    #expect(counted == 1)
    #expect(told.first?.fields["due_ms"] == next.map { .integer($0.milliseconds) })
    #expect((told.first?.fields["late_s"]?.number ?? 0) >= 60)
    #expect(time > .seconds(3_600) && time < .seconds(3_900) && count == 1)
  }

  @Test func `F42 a flash that runs full is visited early, and its levels are told`() throws {
    let outcome = try Rig.visit { rig, flash in
      // At 100 entries a second, of 50 vectors: full after 1000 s.
      await flash.limit(to: 100_000)
      await rig.disconnects()
      let start = rig.world.uptime
      await rig.board.heard(
        .log(
          LogSnapshot(
            clock: BoardTick(resetID: 5, tick: 1), entries: 60_000, capacity: 100_000, isLogging: true)))
      let warned = await rig.published(.logLevel)
      let ups = await rig.published(.linkUp, 2)
      return (warned, ups.count, rig.world.uptime - start)
    }
    let (warned, _, time) = try #require(outcome)
    #expect(warned.first?.type == "warning" && warned.first?.fields["log_full_ms"] != nil)
    #expect(time >= .seconds(150) && time < .seconds(260), "80 % after 200 s")
  }

  @Test func `F106 a board that is seen to log after all is no longer said not to`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      await rig.board.heard(.logStarted(CommandFailure(.boardError, "it does not log")))
      await rig.pass(.seconds(2))
      let off = await rig.log.configurations.last
      await rig.board.heard(
        .log(
          LogSnapshot(
            clock: BoardTick(resetID: 5, tick: 1), entries: 10, capacity: 100_000, isLogging: true)))
      await rig.pass(.seconds(2))
      return await (off, rig.log.configurations.last)
    }
    let (off, last) = try #require(outcome)
    #expect(off?.isInSync == false && off?.differences == ["log/acceleration off"])
    #expect(last?.isInSync == true && last?.error == nil)
  }

  @Test func `the link of a board that notifies is held`() throws {
    let outcome = try Rig.visit(
      Rig.logging(every: .seconds(60)) { $0.streams = ["acceleration": .acceleration(50)] }
    ) { rig, flash in
      await rig.streams()
      await flash.sample(5)
      let told = await rig.published(.logDownloaded)
      return await (told.first?.type, rig.radio.links.count, rig.board.state.link, rig.world.uptime)
    }
    let (type, links, link, time) = try #require(outcome)
    #expect(type == "complete" && links == 1 && link == .streaming)
    #expect(time >= .seconds(60) && time < .seconds(80))
  }

  @Test func `I19 after a restart the next visit is when it would have been`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      return await (rig.board.memory, rig.board.state.contact.next)
    }
    let (memory, next) = try #require(outcome)
    let again = try Rig.play(profile: Rig.logging(), memory: memory, flash: { ToyFlash(world: $0) }) { rig in
      await rig.pass(.seconds(60))
      return await (rig.radio.attempts.count, rig.board.state.contact.next)
    }
    let (attempts, nextAgain) = try #require(again)
    #expect(attempts == 0 && nextAgain == next)
  }
}

extension EventLog {
  /// How many batches were told.
  fileprivate var batches: Int { events.count { if case .batch = $0.event { true } else { false } } }
}
