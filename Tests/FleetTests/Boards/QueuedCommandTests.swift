import BoardKit
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Commands that wait for a board's next contact, and for each other.
@Suite(.timeLimit(.minutes(20)))
struct QueuedCommandTests {
  private typealias Rig = SupervisorRig

  /// What the sender of a command heard, and when.
  private actor Listener {
    private let world: SeededWorld
    private(set) var queued: [(eta: Timestamp?, time: Timestamp)] = []
    private(set) var sent: Timestamp?

    init(_ world: SeededWorld) { self.world = world }

    func heard(queued eta: Timestamp?) { queued.append((eta, world.now)) }
    func heardSent() { sent = world.now }

    nonisolated var stages: CommandProgress {
      CommandProgress(
        sent: {
          await self.heardSent()
          return true
        }, queued: { await self.heard(queued: $0) })
    }
  }

  @Test func `it is told when the next contact is planned, once, and then it is carried out`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let listener = Listener(rig.world)
      let outcome = await rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(86_400), mode: .queue,
        listener.stages)
      return await (outcome, listener.queued.map(\.eta), listener.sent)
    }
    let (end, etas, sent) = try #require(outcome)
    guard case .done = end else { return #expect(Bool(false), "\(end)") }
    let eta = try #require(etas.first ?? nil)
    let late = try #require(sent) - eta
    #expect(etas.count == 1 && late >= .zero && late < .seconds(20), "\(late)")
  }

  @Test func `when the plan moves much it is told again, and that comes true`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let listener = Listener(rig.world)
      async let end = rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(86_400), mode: .queue,
        listener.stages)
      await rig.pass(.seconds(60))
      var desired = await rig.board.setup.desired
      desired.profile.visit.every = .every(.seconds(600))
      await rig.board.change(to: desired)
      _ = await end
      return await (listener.queued.map(\.eta), listener.sent)
    }
    let (etas, sent) = try #require(outcome)
    #expect(etas.count == 2)
    let (first, last) = (try #require(etas.first ?? nil), try #require(etas.last ?? nil))
    #expect(first - last > .seconds(2_900))
    #expect(try #require(sent) - last < .seconds(20))
  }

  @Test func `F87 for a board that is not there it waits until it expires, then ends unreachable, unsent`()
    throws
  {
    let outcome = try Rig.play(isHeard: false, profile: Rig.logging()) { rig in
      let listener = Listener(rig.world)
      let start = rig.world.uptime
      let outcome = await rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(3_000), mode: .queue,
        listener.stages)
      return await (outcome, rig.world.uptime - start, listener.queued.count, listener.sent)
    }
    let (end, waited, queued, sent) = try #require(outcome)
    guard case .failed(let failure) = end else { return #expect(Bool(false), "\(end)") }
    #expect(failure.code == .unreachable && queued >= 1 && sent == nil)
    #expect(waited >= .seconds(3_000) && waited < .seconds(3_010))
  }

  @Test(
    arguments: [CommandRequest.Mode.now, .queue])
  func `F87 a link that goes before the first byte is sent ends nothing: the command waits for the next one`(
    mode: CommandRequest.Mode
  ) throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let listener = Listener(rig.world)
      let (first, second) = (await rig.board.takeTurn(), await rig.board.takeTurn())
      let expires = rig.world.now + .seconds(80_000)
      async let other = rig.board.perform(
        .device(.identify(seconds: 1)), turn: first, expires: expires, mode: .now,
        CommandProgress(sent: {
          await rig.pass(.seconds(5))
          return true
        }))
      async let end = rig.board.perform(
        .device(.identify(seconds: 1)), turn: second, expires: expires, mode: mode, listener.stages)
      while await rig.board.link.session == nil, !Task.isCancelled { await rig.pass(.milliseconds(100)) }
      // Behind the first and before the second, whose turn comes only then.
      _ = await rig.board.link.session?.perform(
        .device(.identify(seconds: 1)), expires: expires,
        CommandProgress(sent: {
          await rig.pass(.seconds(2))
          await rig.radio.link?.lose(LinkFailure(.linkLost, "the connection was lost"))
          return false
        }))
      return await (other, end, listener.sent)
    }
    let (other, end, sent) = try #require(outcome)
    for end in [other, end] { guard case .done = end else { return #expect(Bool(false), "\(end)") } }
    #expect(sent != nil)
  }

  @Test func `a command for now brings the board, and those that were queued before it go before it`() throws
  {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let (queued, now) = (Listener(rig.world), Listener(rig.world))
      let (first, second) = (await rig.board.takeTurn(), await rig.board.takeTurn())
      let expires = rig.world.now + .seconds(86_400)
      async let one = rig.board.perform(
        .device(.identify(seconds: 1)), turn: first, expires: expires, mode: .queue, queued.stages)
      await rig.pass(.seconds(5))
      async let other = rig.board.perform(
        .device(.identify(seconds: 1)), turn: second, expires: expires, mode: .now, now.stages)
      _ = await (one, other)
      return await (queued.sent, now.sent)
    }
    let (first, second) = try #require(outcome)
    #expect(try #require(first) <= #require(second))
  }

  @Test func `whoever waits for a turn until it expires is told so`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let blocker = await rig.board.takeTurn()
      async let long = rig.board.perform(
        .disconnect(hold: .zero, by: .board), turn: blocker, expires: rig.world.now + .seconds(600),
        mode: .now,
        CommandProgress(sent: {
          await rig.pass(.seconds(120))
          return false
        }))
      await rig.pass(.seconds(30))
      let short = await rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(20), .silent)
      return await (short, long)
    }
    let (short, long) = try #require(outcome)
    guard case .failed(let failure) = short, case .failed(let cancelled) = long else {
      return #expect(Bool(false), "\(short) \(long)")
    }
    #expect(failure.code == .expired && failure.message.contains("other commands"))
    #expect(cancelled == .cancelled, "what may not be sent is not")
  }

  @Test func `whoever waits for a free link until it expires is told so: the board is there`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let other = BoardID.number(9)
      await rig.scheduler.advertised(other, by: Rig.adapter, rssi: -40)
      // It connects for ever, and nobody else can meanwhile.
      _ = await rig.scheduler.permit(for: other, pin: nil, failures: 0, purpose: .command)
      return await rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(20), .silent)
    }
    guard case .failed(let failure) = try #require(outcome) else {
      return #expect(Bool(false), "\(String(describing: outcome))")
    }
    #expect(failure.code == .expired && failure.message.contains("free connection slot"))
  }

  @Test func `a command that is taken back while it waits ends at once`() throws {
    let outcome = try Rig.visit { rig, _ in
      await rig.disconnects()
      let turn = await rig.board.takeTurn()
      let start = rig.world.uptime
      async let end = rig.board.perform(
        .device(.identify(seconds: 1)), turn: turn, expires: rig.world.now + .seconds(86_400), mode: .queue,
        .silent)
      await rig.pass(.seconds(5))
      await rig.board.withdraw(turn)
      _ = await end
      let took = rig.world.uptime - start
      // Nobody is held up by who left.
      let next = await rig.board.perform(
        .device(.identify(seconds: 1)), expires: rig.world.now + .seconds(60), .silent)
      return (took, next)
    }
    let (took, next) = try #require(outcome)
    #expect(took < .seconds(6))
    guard case .done = next else { return #expect(Bool(false), "\(next)") }
  }
}
