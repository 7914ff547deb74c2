import BoardKit
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Faults on the way to a link and at its end, with the true times of a building.
@Suite(.timeLimit(.minutes(20)))
struct BoardSupervisorFaultTests {
  private typealias Rig = SupervisorRig

  private func perMinute(_ attempts: [Duration]) -> Int {
    attempts.map { start in attempts.count { $0 >= start && $0 < start + .seconds(60) } }.max() ?? 0
  }

  @Test func `F221 of a board whose gateway stops no link stands as if it were there`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.board.retire(isStopping: true)
      await rig.board.finished()
      return await rig.log.states.last
    }
    let last = try #require(outcome ?? nil)
    #expect(last.link == .unseen && last.reason?.code == .gatewayStopped)
  }

  @Test
  func
    `F01 while an older attempt hangs the state is connecting, with the reason, and then the board streams`()
    throws
  {
    let plan: [ToyRadio.Attempt] = [.fails(.adapterBusy), .fails(.adapterBusy), .hangs]
    let outcome = try Rig.play(plan: plan) { rig in
      await rig.until { $0.link == .connecting && $0.reason?.code == .adapterBusy }
      return await (rig.streams(), rig.radio.attempts.map(\.at))
    }
    let (streaming, attempts) = try #require(outcome)
    // Within half a minute of the moment the radio was free.
    #expect(streaming - (try #require(attempts.last)) <= .seconds(30))
  }

  @Test(
    arguments: 1...5)
  func `F02 aborted attempts: unreachable after ten, then slowly, never more than twelve a minute`(
    seed: UInt64
  ) throws {
    let outcome = try Rig.play(seed: seed, always: .fails(.refused)) { rig in
      let unreachable = await rig.until { $0.link == .unreachable }
      await rig.pass(.seconds(1_800))
      return await (unreachable, rig.radio.attempts.map(\.at), rig.log.availability, rig.board.state)
    }
    let (unreachable, attempts, availability, state) = try #require(outcome, "seed \(seed)")
    #expect(unreachable <= .seconds(15), "seed \(seed)")
    #expect(availability.last?.0 == .connectFailed)
    #expect(state.reason?.code == .refused)
    #expect(perMinute(attempts) <= 12, "seed \(seed)")
    let pauses = zip(attempts.dropFirst(10), attempts.dropFirst(9)).map { $0 - $1 }
    #expect(pauses.first.map { $0 >= .seconds(24) && $0 <= .seconds(36) } == true, "seed \(seed)")
    #expect(pauses.allSatisfy { $0 <= .seconds(361) }, "seed \(seed): \(pauses)")
  }

  @Test func `a board that leaves while it waits for a place is unseen, and waits for none`() throws {
    let outcome = try Rig.play(isHeard: false) { rig in
      await rig.scheduler.update(Rig.adapter, isUsable: false)
      await rig.hear(rig.board)
      await rig.until { $0.link == .waitingForSlot }
      await rig.pass(.seconds(3_600))
      return await rig.board.state
    }
    let state = try #require(outcome)
    #expect(state.link == .unseen && state.reason?.code == .awaitingAdvertisement)
  }

  @Test
  func `F03 a board whose connection is never answered is given up after 20 s, and holds up no other board`()
    throws
  {
    let outcome = try Rig.play(boards: 4, always: .hangs) { rig in
      for supervisor in rig.supervisors.dropFirst() {
        while await supervisor.state.link != .streaming { await rig.pass(.milliseconds(50)) }
      }
      return await (rig.world.uptime, rig.radio.attempts)
    }
    let (others, attempts) = try #require(outcome)
    #expect(others <= .seconds(30))
    let mine = attempts.filter { $0.board == .number(1) }.map(\.at)
    #expect(mine.count >= 1)
  }

  @Test func `F04 a link whose calls fail is ended, and the board streams again within a minute`() throws {
    let outcome = try Rig.play { rig in
      let first = await rig.streams()
      let link = await rig.radio.link
      await link?.change {
        $0.isMute = true
        $0.writing = LinkFailure(.linkLost, "org.bluez.Error.Failed: Not connected")
      }
      let again = await rig.streams(after: first + .milliseconds(1))
      return await (again - first, link?.isDisconnected)
    }
    let (time, isDisconnected) = try #require(outcome)
    #expect(time <= .seconds(60))
    #expect(isDisconnected == true)
  }

  @Test
  func
    `F05 F06 a board without our services has its device removed, at most every half minute, and is tried again`()
    throws
  {
    let outcome = try Rig.play(always: .fails(.servicesMissing)) { rig in
      await rig.pass(.seconds(600))
      return await (rig.radio.removals.map(\.at), rig.radio.attempts.map(\.at))
    }
    let (removals, attempts) = try #require(outcome)
    #expect(removals.count >= 3 && attempts.count >= 10)
    #expect(zip(removals.dropFirst(), removals).allSatisfy { $0 - $1 >= .seconds(30) })
  }

  @Test
  func
    `F06 a link on which a handle is unknown has its device removed once, and the board streams within 45 s`()
    throws
  {
    let stale = LinkFailure(.servicesMissing, "Operation failed with ATT error: 0x01")
    let outcome = try Rig.play(plan: [.opens(.init(subscribing: stale))]) { rig in
      await (rig.streams(), rig.radio.removals.count)
    }
    let (streaming, removals) = try #require(outcome)
    #expect(streaming <= .seconds(45))
    #expect(removals == 1)
  }

  @Test func `F07 after its device vanished a board rests for four seconds`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.radio.link?.lose(LinkFailure(.deviceGone, "BlueZ removed the device"))
      let lost = rig.world.uptime
      let again = await rig.streams(after: lost + .milliseconds(1))
      return await (lost, rig.radio.attempts.map(\.at), again)
    }
    let (lost, attempts, again) = try #require(outcome)
    let next = try #require(attempts.first { $0 > lost })
    #expect(next - lost >= .seconds(4))
    #expect(again - lost <= .seconds(20))
  }

  @Test func `F08 a board that another client holds is said to be, and asked for every half minute`() throws {
    let held = LinkFailure(.busyElsewhere, "Notify acquired")
    let outcome = try Rig.play(always: .opens(.init(subscribing: held))) { rig in
      await rig.until { $0.reason?.code == .busyElsewhere }
      await rig.pass(.seconds(300))
      await rig.radio.plan(.number(1), [])
      let freed = rig.world.uptime
      return await (rig.radio.attempts.map(\.at), rig.streams(), freed)
    }
    let (attempts, streaming, freed) = try #require(outcome)
    #expect(zip(attempts.dropFirst(), attempts).allSatisfy { $0 - $1 >= .seconds(30) })
    #expect(streaming - freed <= .seconds(60))
  }

  @Test func `F171 what another adapter receives of a board that is connected is not its strength`() throws {
    let strength = try Rig.play { rig in
      await rig.streams()
      await rig.board.advertised(
        AdvertisementReport(
          board: rig.board.board, adapter: .number(9), name: nil, rssi: -40, services: [],
          time: rig.world.now), isBootloader: false)
      return await rig.board.state.rssi ?? 0
    }
    #expect(strength == -60)
  }

  @Test func `F172 a board whose advertisement has neither a service nor a strength is connected`() throws {
    let outcome = try Rig.play(isHeard: false) { rig in
      await rig.scheduler.advertised(rig.board.board, by: Rig.adapter, rssi: nil)
      await rig.board.advertised(
        AdvertisementReport(
          board: rig.board.board, adapter: Rig.adapter, name: nil, rssi: nil, services: [],
          time: rig.world.now), isBootloader: false)
      return await rig.streams()
    }
    #expect(try #require(outcome) <= .seconds(20))
  }

  @Test func `F09 a board that is connected and not heard is adopted and streams within 20 s`() throws {
    let outcome = try Rig.play(isHeard: false) { rig in
      await rig.scheduler.advertised(rig.board.board, by: Rig.adapter, rssi: nil)
      await rig.board.isConnectedOutside()
      return await rig.streams()
    }
    #expect(try #require(outcome) <= .seconds(20))
  }

  @Test
  func
    `F10 F12 when the service goes that is told within 5 s; when it is back the board streams, after a gap`()
    throws
  {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(1))
      let gone = rig.world.uptime
      await rig.radio.link?.lose(LinkFailure(.serviceGone, "bluetoothd stopped"))
      await rig.board.radioChanged(.busLost, "bluetoothd is not running; systemctl start bluetooth")
      await rig.pass(.seconds(5))
      let told = await rig.log.availability.last
      let attempts = await rig.radio.attempts.count
      await rig.pass(.seconds(120))
      let back = rig.world.uptime
      let idle = await rig.radio.attempts.count == attempts
      await rig.board.radioChanged(nil, "")
      let again = await rig.streams(after: back)
      await rig.pass(.seconds(1))
      return await (gone, told, idle, again - back, rig.log.published(.dataGap).map(\.0))
    }
    let (gone, told, isIdle, time, gaps) = try #require(outcome)
    #expect(told?.0 == .busLost)
    #expect((told?.1).map { $0 - gone <= .seconds(5) } == true)
    #expect(isIdle, "the board was tried without a radio")
    #expect(time <= .seconds(30))
    #expect(gaps.map { $0.fields["reason"] } == ["radio"])
  }

  @Test func `F49 a link that the driver ends to take a macro back is not told as lost`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      let command = ProgramCommand.recordMacro("a", [], isRunAtBoot: true)
      let result = await rig.board.perform(
        .device(.program(command)), expires: rig.world.now + .seconds(60), .silent)
      await rig.streams(after: rig.world.uptime)
      return await (result, rig.log.types(of: .linkLost))
    }
    let (result, lost) = try #require(outcome)
    #expect(result == .failed(CommandFailure(.boardError, "it was erased again")))
    #expect(lost.isEmpty)
  }

  @Test func `F26 a link that is lost twice is told once`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      let link = await rig.radio.link
      await link?.lose(LinkFailure(.linkLost, "the socket hung up"))
      await link?.lose(LinkFailure(.linkLost, "the connection was lost"))
      await rig.streams(after: rig.world.uptime)
      return await rig.log.types(of: .linkLost)
    }
    #expect(try #require(outcome) == ["lost"])
  }

  @Test
  func
    `F27 a link that breaks every few seconds: flapping is told at the fifth, then it rests a minute and more`()
    throws
  {
    let outcome = try Rig.play { rig in
      var lost: [Duration] = []
      for _ in 0..<7 {
        let start = lost.last ?? .zero
        await rig.streams(after: start)
        await rig.pass(.seconds(5))
        lost.append(rig.world.uptime)
        await rig.radio.link?.lose(LinkFailure(.linkLost, "the connection was lost"))
      }
      await rig.pass(.seconds(1))
      var relaxed: [Int] = []
      for (index, link) in await rig.radio.links.enumerated() {
        if await link.written.contains(where: { $0.byte == 0x06 }) { relaxed.append(index) }
      }
      return await (lost, rig.radio.attempts.map(\.at), rig.log.types(of: .linkLost), relaxed)
    }
    let (lost, attempts, types, relaxed) = try #require(outcome)
    #expect(types == ["lost", "lost", "lost", "lost", "flapping", "flapping", "flapping"])
    let rests = lost.compactMap { time in attempts.first { $0 > time }.map { $0 - time } }
    #expect(rests.prefix(4).allSatisfy { $0 <= .seconds(1) })
    #expect(rests.dropFirst(4).first.map { $0 >= .seconds(60) && $0 <= .seconds(61) } == true)
    #expect(rests.dropFirst(5).first.map { $0 >= .seconds(120) } == true)
    #expect(relaxed == [5], "the board is asked once for a slower link")
  }
}
