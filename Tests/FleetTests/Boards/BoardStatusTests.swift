import BoardKit
import FleetModel
import Testing

@testable import Fleet

/// How a board is, as its documents and events tell it.
@Suite struct BoardStatusTests {
  private static func status(led: LEDState? = nil) -> BoardStatus {
    BoardStatus(
      board: .number(1),
      identity: BoardIdentity(
        family: "toy", permissions: CommandLimits().permissions, advertisedName: nil, description: nil,
        interviewed: nil),
      led: led, boot: nil, at: .at(0), uptime: .zero)
  }

  @Test func `a battery's level is told when it is crossed, the lower one first`() {
    var status = Self.status()
    let types = [50, 20, 19, 5, 4, 30, 3].map { status.battery($0, 3_000, at: .at(0))?.type }
    #expect(types == [nil, "low", nil, "critical", nil, nil, "critical"])
    #expect(status.state.battery.percent == 3 && status.state.battery.time == .at(0))
  }

  @Test func `what nobody ordered is counted, by the day and since the start`() {
    var status = Self.status()
    status.sessionFailed(at: .zero)
    status.linkLost(at: .seconds(60))
    status.resetUnexpectedly()
    #expect(status.linkFailures(at: .seconds(120)) == 2 && status.linkFailures(at: .seconds(90_000)) == 0)
    #expect(status.incidents.linkFailures == 2 && status.incidents.unexpectedResets == 1)
  }

  @Test func `a button tells how long it was held, where its press was seen`() {
    var status = Self.status()
    let orphan = status.button(isPressed: false, at: .at(0))
    #expect(orphan == EventDraft(.button, "release", at: .at(0)))
    _ = status.button(isPressed: true, at: .at(100))
    let release = status.button(isPressed: false, at: .at(850))
    #expect(release == EventDraft(.button, "release", fields: ["held_ms": 750], at: .at(850)))
  }

  @Test func `an LED that shows what it showed is no draft`() {
    let blue = LEDAppearance(color: .white, brightness: 9, effect: "blink")
    var status = Self.status(led: LEDState(appearance: blue, until: .at(5), time: .at(0)))
    #expect(status.ledEnds == .at(5) && status.lastAppearance == blue)
    let same = status.show(LEDState(appearance: blue, until: .at(5), time: .at(1)))
    let off = status.show(LEDState(appearance: nil, until: nil, time: .at(2)))
    #expect(!same && off && status.ledEnds == nil && status.lastAppearance == blue)
  }

  @Test func `what an index says of its hardware is part of who it is, and its firmware a document`() {
    var status = Self.status()
    let offer = FirmwareReport.Offer(latest: "2.0", build: "vanilla", hardware: "0.1", isHardwareListed: true)
    let change = status.take(
      FirmwareReport(
        board: .number(1), model: "Toy", installed: "1.0", offer: offer, index: nil, checked: nil,
        trouble: nil, time: .at(5)))
    #expect(change.isOther && change.draft != nil && change.isToBeKept)
    #expect(status.identity.isHardwareListed == true)
    #expect(status.retainedDocuments.count == 1 && status.firmware.report?.time == .at(5))
  }

  @Test func `sessions and losses of a day are counted`() {
    var status = Self.status()
    status.linkEnded(wasAnswered: false, at: .at(0), uptime: .seconds(1))
    status.linkEnded(wasAnswered: true, at: .at(9), uptime: .seconds(2))
    status.lost(7, at: .seconds(3))
    let rule = LinkPhaseRule(facts: status.facts, window: .seconds(60), connection: .absent)
    status.refresh(rule, nil, troubles: [], at: .at(10), uptime: .seconds(4))
    #expect(status.state.lastDay.sessionFailures == 1 && status.state.lastDay.samplesLost == 7)
    #expect(status.state.contact.lastSession == .at(9) && status.facts.lastSession == .seconds(2))
  }

  @Test func `F174 since when a reason holds is told, however it is worded, until it is another one`() {
    var status = Self.status()
    func refresh(_ failure: LinkFailure?, at second: Int64) -> Timestamp? {
      let rule = LinkPhaseRule(
        facts: status.facts, window: .seconds(60), connection: .connecting, lastFailure: failure)
      status.refresh(rule, nil, troubles: [], at: .at(second), uptime: .seconds(second))
      return status.state.hindrance.since
    }
    let times = [
      refresh(LinkFailure(.refused, "no"), at: 1), refresh(LinkFailure(.refused, "not today"), at: 2),
      refresh(LinkFailure(.timedOut, "late"), at: 3), refresh(nil, at: 4),
    ]
    #expect(times == [.at(1), .at(1), .at(3), nil])
  }

  @Test func `F174 a suspension says when it ends, once, whatever the clock does`() {
    var status = Self.status()
    func refresh(_ state: ConnectionMachine.State, at millisecond: Int64, uptime: Int) -> Timestamp? {
      let rule = LinkPhaseRule(facts: status.facts, window: .seconds(60), connection: state)
      status.refresh(rule, nil, troubles: [], at: .at(millisecond), uptime: .seconds(uptime))
      return status.state.hindrance.until
    }
    let suspended = ConnectionMachine.State.suspended(until: .seconds(100))
    let times = [
      refresh(suspended, at: 1_000, uptime: 40), refresh(suspended, at: 9_000, uptime: 41),
      refresh(.suspended(until: .seconds(200)), at: 9_001, uptime: 42),
      refresh(.absent, at: 9_002, uptime: 43),
    ]
    #expect(times == [.at(61_000), .at(61_000), .at(167_001), nil])
  }

  @Test func `F27 a long back-off says when the board is tried again, once; a short one does not`() {
    var status = Self.status()
    func refresh(_ end: Int, at second: Int64, uptime: Int, needsAdvertisement: Bool = false) -> Timestamp? {
      let rule = LinkPhaseRule(
        facts: status.facts, window: .seconds(60),
        connection: .backingOff(until: .seconds(end), needsAdvertisement: needsAdvertisement),
        lastFailure: LinkFailure(.linkLost, "lost"))
      status.refresh(rule, nil, troubles: [], at: .at(second * 1_000), uptime: .seconds(uptime))
      return status.state.hindrance.until
    }
    let times = [
      refresh(41, at: 1, uptime: 40), refresh(100, at: 1, uptime: 40),
      // What is left of it is short by now.
      refresh(100, at: 60, uptime: 90), refresh(101, at: 61, uptime: 100),
      refresh(200, at: 61, uptime: 100, needsAdvertisement: true),
    ]
    #expect(times == [nil, .at(61_000), .at(61_000), nil, nil])
  }

  @Test func `availability is told when it is another one`() {
    var status = Self.status()
    let first = status.judgeAvailability(.seconds(60), at: .at(0), uptime: .zero)
    let same = status.judgeAvailability(.seconds(60), at: .at(1), uptime: .seconds(1))
    #expect(first.changed == Availability(reason: .starting, since: .at(0)) && same.changed == nil)
    status.facts.isAnswering = true
    let online = status.judgeAvailability(.seconds(60), at: .at(2), uptime: .seconds(2))
    #expect(online.changed == Availability(reason: .connected, since: .at(2)))
  }

  @Test func `what the board does ends with its link`() {
    var status = Self.status()
    status.activity = BoardActivity(streams: ["steps"], isDownloading: true)
    status.linkEnded(wasAnswered: true, at: .at(0), uptime: .zero)
    #expect(status.activity == BoardActivity() && !status.facts.isAnswering)
  }
}
