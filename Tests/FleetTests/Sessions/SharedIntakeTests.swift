import BoardKit
import FleetModel
import Support
import Testing

@testable import Fleet

@Suite struct SharedIntakeTests {
  /// A stream of one sample now and then, whose lanes go into `shared` as in a session.
  private struct Feed {
    let stream: SessionStream
    let shared: SharedIntake

    init(_ board: Int, into shared: SharedIntake) throws {
      let active = ActiveStream(
        key: StreamKey(0), request: StreamRequest(name: "acceleration", configuration: ["live_rate_hz": 0]),
        period: .milliseconds(20), isPolled: false)
      stream = try #require(
        SessionStream(
          active, board: .number(board), boot: 1, session: .seeded(1), limits: LaneLimits(), uptime: .zero))
      self.shared = shared
    }

    func take(at milliseconds: Int64) {
      stream.append(
        at: .at(milliseconds), [1, 2, 3], uptime: .milliseconds(milliseconds), into: &shared.outgoing)
      shared.note(stream, of: .number(1))
    }
  }

  private func counts(in events: [FleetEvent]) -> [Int] {
    events.compactMap { if case .batch(let batch) = $0 { batch.count } else { nil } }
  }

  @Test func `a batch leaves when it has waited long enough whoever else has something`() throws {
    let shared = SharedIntake()
    let (one, other) = (try Feed(1, into: shared), try Feed(2, into: shared))
    one.take(at: 0)
    one.take(at: 20)
    other.take(at: 100)
    #expect(counts(in: shared.takeFinished(at: .milliseconds(249))) == [])
    #expect(counts(in: shared.takeFinished(at: .milliseconds(250))) == [2])
    #expect(counts(in: shared.takeFinished(at: .milliseconds(349))) == [])
    #expect(counts(in: shared.takeFinished(at: .milliseconds(350))) == [1])
    #expect(counts(in: shared.takeFinished(at: .seconds(9))) == [])
  }

  @Test func `the batch behind a full one has its whole time`() throws {
    let shared = SharedIntake()
    let feed = try Feed(1, into: shared)
    for milliseconds in stride(from: Int64(0), to: 260, by: 20) { feed.take(at: milliseconds) }
    feed.take(at: 260)
    #expect(counts(in: shared.takeFinished(at: .milliseconds(300))) == [13])
    #expect(counts(in: shared.takeFinished(at: .milliseconds(509))) == [])
    #expect(counts(in: shared.takeFinished(at: .milliseconds(510))) == [1])
  }
}
