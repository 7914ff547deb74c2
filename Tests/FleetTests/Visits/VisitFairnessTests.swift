import FleetModel
import Support
import Testing

@testable import Fleet

/// Many boards share few links.
@Suite(.timeLimit(.minutes(20)))
struct VisitFairnessTests {
  private typealias Rig = SupervisorRig

  private static var polled: Profile {
    var profile = Profile()
    profile.streams = ["battery": StreamRequest(name: "battery", configuration: ["every": "60s"])]
    profile.link = .visit
    return profile
  }

  @Test func `F57 of a hundred boards on a busy adapter, one ten times slower, each is read in time`() throws
  {
    let outcome = try Rig.play(boards: 100, profile: Self.polled) { rig -> [BoardID: [Duration]] in
      // More than the adapter can do in a minute: 69 s for all, and seven for the slow one.
      await rig.radio.take(.milliseconds(700), slow: [.number(7): .seconds(7)])
      await rig.pass(.seconds(700))
      return await Dictionary(grouping: rig.log.visits, by: \.board).mapValues { $0.map(\.at) }
    }
    let visits = try #require(outcome)
    #expect(visits.count == 100)
    let delays = visits.values.flatMap { times in zip(times, times.dropFirst()).map { $1 - $0 } }.sorted()
    #expect(delays[delays.count * 95 / 100] <= .seconds(90), "p95 within half a period more")
    #expect((delays.last ?? .zero) < .seconds(900))
  }
}

extension EventLog {
  /// When which board was reached.
  fileprivate var visits: [(board: BoardID, at: Duration)] {
    published(.linkUp).compactMap { event, time in
      if case .board(let board) = event.subject { (board, time) } else { nil }
    }
  }
}
