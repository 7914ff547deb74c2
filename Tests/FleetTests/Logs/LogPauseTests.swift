import BoardKit
import FleetModel
import Storage
import Testing
import VirtualTime

@testable import Fleet

/// Boards do not log while they are read out: how long, and what that costs, is declared (fault F150).
@Suite(.timeLimit(.minutes(20)))
struct LogPauseTests {
  private typealias Rig = SupervisorRig

  /// The toy board answers at once: what takes its time is the gateway.
  @Sendable private static func dawdle(_ rig: Rig, _ step: DownloadStep) async {
    guard step == .kept else { return }
    await rig.pass(.milliseconds(700))
  }

  @Test func `F150 the pause of a read-out is a gap before what is logged next, by rate and time`() throws {
    let outcome = try Rig.visit(passed: Self.dawdle) { rig, flash in
      await rig.disconnects()
      await flash.sample(45)
      _ = await rig.published(.logDownloaded)
      await rig.disconnects()
      let sessions = await rig.sessions()
      return await (
        (try? rig.store.logs.gaps(of: sessions[0].id)) ?? [],
        (try? rig.store.logs.gaps(of: sessions[1].id)) ?? [],
        try? rig.store.logs.pause(of: rig.board.board)
      )
    }
    let (first, second, left) = try #require(outcome)
    #expect(first.isEmpty && left == .some(nil))
    let gap = try #require(second.first)
    #expect(second.count == 1 && gap.stream == "acceleration" && gap.position == 0)
    #expect(gap.reason == "download" && gap.cause == .pause)
    let pause = try #require(gap.to) - (try #require(gap.from))
    #expect(pause >= .milliseconds(3_500) && pause < .seconds(4))
    #expect(gap.count == Int((pause.inSeconds * 50).rounded()))
  }

  @Test func `F150 a read-out that is cut off makes one pause, until the board logs again`() throws {
    let outcome = try Rig.visit(passed: Self.dawdle) { rig, flash in
      await rig.disconnects()
      let earlier = await flash.deeds.filter { $0 == "stop" }.count
      await flash.sample(45)
      await flash.change { $0.breaksAtPage = 2 }
      _ = await rig.published(.logDownloaded)
      await rig.disconnects()
      var gaps: [LogGap] = []
      for session in await rig.sessions() { gaps += (try? await rig.store.logs.gaps(of: session.id)) ?? [] }
      return await (gaps, flash.deeds.filter { $0 == "stop" }.count - earlier)
    }
    let (gaps, stops) = try #require(outcome)
    #expect(stops >= 2 && gaps.map(\.cause) == [.pause])
    // Both read-outs are in it: three pages and a half, and three.
    #expect(try #require(gaps[0].to) - (try #require(gaps[0].from)) > .seconds(4))
  }

  @Test func `F150 a board that shall not log on makes no pause`() throws {
    let outcome = try Rig.visit(Rig.logging(every: nil)) { rig, flash in
      while await !flash.isLogging { await rig.pass(.milliseconds(200)) }
      await flash.sample(5)
      _ = await rig.perform(.download(resume: false, clear: nil))
      return await (rig.gaps(), try? rig.store.logs.pause(of: rig.board.board))
    }
    let (gaps, pause) = try #require(outcome)
    #expect(gaps == [[]] && pause == .some(nil))
  }

  @Test func `samples of a span by period, by rate, or by nobody's knowledge`() {
    func stream(_ configuration: JSONObject, _ period: Duration?) -> LoggedStream {
      LoggedStream(
        name: "s", fields: [], slots: [0], layout: [], configuration: configuration, period: period)
    }
    #expect(stream([:], .milliseconds(250)).samples(in: .seconds(3)) == 12)
    #expect(stream(["rate_hz": 12.5], nil).samples(in: .seconds(4)) == 50)
    #expect(stream([:], nil).samples(in: .seconds(4)) == -1)
    #expect(stream(["rate_hz": 50], nil).samples(in: .seconds(-4)) == 0)
  }

  @Test func `our streams miss what a pause cost, unless a reset was part of it or it goes on`() {
    let streams = [
      LoggedStream(name: "s", fields: [], slots: [0], layout: [], period: .milliseconds(250)),
      LoggedStream(name: "theirs", fields: [], slots: [1], layout: [], isOurs: false),
    ]
    let run = LogSession(
      id: .seeded(1), board: .number(1), started: .at(0), streams: streams, boot: 4, resetID: 1, stored: 9)
    let pause = LogPause(since: .at(1_000), until: .at(3_000), boot: 4)
    let gap = LogGap(
      id: 0, stream: "s", from: .at(1_000), to: .at(3_000), count: 8, reason: "download", cause: .pause,
      position: 9)
    #expect(pause.gaps(in: run, boot: 4) == [gap])
    #expect(pause.gaps(in: run, boot: 5) == nil)
    #expect(LogPause(since: .at(1_000), until: .at(3_000), boot: 3).gaps(in: run, boot: 4) == nil)
    #expect(LogPause(since: .at(1_000), boot: 4).gaps(in: run, boot: 4) == nil)
    #expect(LogPause(since: .at(1_000), until: .at(1_000), boot: 4).gaps(in: run, boot: 4) == nil)
  }
}
