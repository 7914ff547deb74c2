import FleetModel
import Simulator
import Testing

@testable import SeededFaults

/// The checkers themselves: each is shown a life in which its invariant is broken, and must say so.
@Suite struct InvariantTests {
  private static let board = FleetHealth.names(1)[0]
  private static let topic = "metafleet/board/c0ffee000001"

  /// What `invariant` says of observations, one second apart and reviewed at the end.
  private func verdict(_ invariant: any Invariant, _ observations: [Observation]) -> [String] {
    var invariant = invariant
    var words: [String] = []
    func moment(_ second: Int) -> Moment {
      Moment(
        uptime: .seconds(second), time: Timestamp(milliseconds: 1_763_671_234_000 + Int64(second) * 1000))
    }
    for (second, observation) in observations.enumerated() {
      if let found = invariant.observe(observation, at: moment(second)) { words.append(found) }
    }
    if let found = invariant.review(at: moment(observations.count)) { words.append(found) }
    return words
  }

  private func said(_ lane: String, _ text: String, isRetained: Bool = false) -> Publication {
    Publication(
      MQTTMessage(topic: "\(Self.topic)/\(lane)", payload: Array(text.utf8), isRetained: isRetained))
  }

  private func reply(_ stage: String, _ more: String = "") -> Observation {
    .published(said("reply/led", #"{"id":"led-1","stage":"\#(stage)"\#(more)}"#))
  }

  private func batch(_ session: String, _ sequence: Int, gap: Int = 0, second: Int = 34) -> Publication {
    said(
      "record/acceleration",
      #"{"v":1,"session":"\#(session)","seq":\#(sequence),"count":1,"gap_before":\#(gap),"#
        + #""batch_id":"\#(session).\#(sequence)","clock":{"source":"arrival","err_ms":100},"#
        + #""samples":[{"ts_us":17636712\#(second)000000}]}"#)
  }

  private var online: Observation {
    .published(
      Publication(
        MQTTMessage(
          topic: "metafleet/gateway/test/availability", payload: Array(#"{"state":"online"}"#.utf8))))
  }

  private static let light: [UInt8] = [2, 3, 0, 2, 31, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 255]

  @Test func `i 05 sees a command that runs twice`() {
    let shown = Observation.wrote(Self.board, Self.light)
    #expect(verdict(I05AtMostOnce(), [shown]).isEmpty)
    #expect(verdict(I05AtMostOnce(), [shown, shown]).count == 1)
    #expect(verdict(I05AtMostOnce(), [.wrote(Self.board, [0xFE, 1])]).count == 1)
  }

  @Test func `i 06 sees a refused command that is carried out`() {
    var command = SeededCommand.led(Self.board, mark: 1)
    command.expectation = .refusal("expired")
    let refused = reply("failed", #","code":"expired""#)
    #expect(verdict(I06Refusals(), [.commanded(command), refused]).isEmpty)
    #expect(verdict(I06Refusals(), [.commanded(command), .wrote(Self.board, Self.light)]).count == 1)
    #expect(verdict(I06Refusals(), [.commanded(command), reply("done")]).count == 1)
    #expect(verdict(I06Refusals(), [reply("done"), reply("failed", #","duplicate":true"#)]).count == 1)
  }

  @Test func `i 07 sees none and two final replies`() {
    let command = Observation.commanded(.led(Self.board, mark: 1))
    #expect(verdict(I07OneFinalReply(), [command, reply("accepted"), reply("done"), reply("done")]).isEmpty)
    #expect(verdict(I07OneFinalReply(), [command, reply("accepted")]).count == 1)
    #expect(verdict(I07OneFinalReply(), [reply("accepted"), reply("done"), reply("unknown")]).count == 1)
    #expect(verdict(I07OneFinalReply(), [command]).count == 1)
    #expect(verdict(I07OneFinalReply(), [command, .ended(isClean: false)]).isEmpty)
  }

  @Test func `i 08 sees state that is not true`() {
    let streaming = Observation.published(said("state", #"{"link":"streaming"}"#, isRetained: true))
    let unseen = Observation.published(said("state", #"{"link":"unseen"}"#, isRetained: true))
    let ticks = Array(repeating: Observation.tick, count: 7)
    let alive: [Observation] = [.started, online, .link(Self.board, isUp: true), streaming]
    let down = Observation.link(Self.board, isUp: false)
    #expect(verdict(I08TrueState(boards: 1), alive + [down] + ticks.prefix(4)).isEmpty)
    #expect(!verdict(I08TrueState(boards: 1), alive + [down] + ticks).isEmpty)
    #expect(verdict(I08TrueState(boards: 1), alive + [down, unseen] + ticks).isEmpty)
    let long = Array(repeating: Observation.tick, count: 100)
    #expect(!verdict(I08TrueState(boards: 1), alive + [unseen] + long).isEmpty)
    #expect(!verdict(I08TrueState(boards: 1), alive + [.ended(isClean: false)] + long).isEmpty)
  }

  @Test func `i 09 sees a connection that never answered`() {
    let claim = Observation.published(
      said("availability", #"{"reason":"connected","since_ms":1763671236000}"#, isRetained: true))
    let up = Observation.link(Self.board, isUp: true)
    #expect(verdict(I09AnsweredBeforeConnected(), [up, .answered(Self.board), claim]).isEmpty)
    #expect(verdict(I09AnsweredBeforeConnected(), [up, claim]).count == 1)
  }

  @Test func `i 10 sees a key used twice and none`() {
    let first = Observation.published(batch("A", 0))
    #expect(verdict(I10Keys(), [first, first]).isEmpty)
    #expect(verdict(I10Keys(), [first, .published(batch("A", 0, gap: 3))]).count == 1)
    #expect(verdict(I10Keys(), [.published(said("event/button", "{}"))]).count == 1)
  }

  @Test func `i 11 sees what never comes again`() {
    let lost = Observation.swallowed(batch("A", 0))
    #expect(verdict(I11DeliveredOnAcknowledgement(), [lost, .published(batch("A", 0))]).isEmpty)
    #expect(verdict(I11DeliveredOnAcknowledgement(), [lost]).count == 1)
  }

  @Test func `i 12 sees holes and untold breaks`() {
    let (one, two) = ("01KAHFYPB3N7AJS2FZJRQ76Q7Q", "01KAHG0J5PG0T9BNWDP9JQFCZQ")
    let told = Observation.published(
      said("event/data-gap", #"{"event_id":"1","stream":"acceleration","session":"\#(one)"}"#))
    let first = Observation.published(batch(one, 0))
    #expect(verdict(I12NoSilentLoss(), [first, .published(batch(one, 2))]).count == 1)
    let later = Observation.published(batch(two, 0, second: 50))
    #expect(verdict(I12NoSilentLoss(), [first, later]).count == 1)
    #expect(verdict(I12NoSilentLoss(), [first, later, told]).isEmpty)
    let atOnce = Observation.published(batch(two, 0, second: 36))
    #expect(verdict(I12NoSilentLoss(), [first, .published(batch(one, 1, second: 35)), atOnce]).isEmpty)
  }

  @Test func `i 14 sees a board that is forgotten`() {
    let silent = Array(repeating: Observation.tick, count: 40)
    let alive: [Observation] = [.started, online, .answered(Self.board)]
    #expect(!verdict(I14NobodyStopsOthers(boards: 1), alive + silent).isEmpty)
    let lively = silent.flatMap { [$0, .published(batch("A", 0))] }
    #expect(verdict(I14NobodyStopsOthers(boards: 1), alive + lively).isEmpty)
    let long = Array(repeating: Observation.tick, count: 200)
    #expect(!verdict(I14NobodyStopsOthers(boards: 1), [.started, online] + long).isEmpty)
  }

  @Test func `i 17 sees stamps of another time`() {
    #expect(verdict(I17HonestTime(), [.answered(Self.board), .published(batch("A", 0))]).isEmpty)
    #expect(verdict(I17HonestTime(), [.published(batch("A", 0))]).count == 1)
    #expect(verdict(I17HonestTime(), [.published(said("record/acceleration", "{}"))]).count == 1)
  }

  @Test func `i 18 sees foreign topics and control characters`() {
    #expect(verdict(I18NothingUnchecked(boards: 1), [.published(said("led", "{}"))]).isEmpty)
    #expect(verdict(I18NothingUnchecked(boards: 1), [.published(said("led", "\u{1b}"))]).count == 1)
    for name in ["event/a b", "event/a/b", "shadow", "event/+"] {
      #expect(verdict(I18NothingUnchecked(boards: 1), [.published(said(name, "{}"))]).count == 1)
    }
  }

  @Test func `i 20 sees hot loops and links ended for nothing`() {
    let attempts = Array(repeating: Observation.connecting(Self.board), count: 13)
    #expect(verdict(I20GentleRecovery(), Array(attempts.prefix(12))).isEmpty)
    #expect(verdict(I20GentleRecovery(), attempts).count == 1)
    let removal = Observation.forgotten(Self.board)
    #expect(verdict(I20GentleRecovery(), [removal, .tick, removal]).count == 1)
    let up = Observation.link(Self.board, isUp: true)
    #expect(verdict(I20GentleRecovery(), [up, .hungUp(Self.board)]).count == 1)
    #expect(
      verdict(I20GentleRecovery(), [up, .fault(.mute(Self.board, .seconds(1))), .hungUp(Self.board)]).isEmpty)
  }

  private static let jump = Observation.wrote(board, [0xFE, 0x02])
  private static let up = Observation.link(board, isUp: true)
  private static let down = Observation.link(board, isUp: false)
  private static let start = Observation.requested(board, [1, 4])

  private var order: Observation {
    .commanded(SeededCommand(board: Self.board, verb: "firmware-update", id: "fw-1"))
  }

  @Test func `a board in its bootloader need not stream, until it has an application again`() {
    let silent = Array(repeating: Observation.tick, count: 40)
    let jumped: [Observation] = [.started, online, .answered(Self.board), Self.jump]
    #expect(verdict(I14NobodyStopsOthers(boards: 1), jumped + silent).isEmpty)
    let loaded: [Observation] = [Self.down, Self.up, Self.start, .hungUp(Self.board), .forgotten(Self.board)]
    #expect(verdict(I20GentleRecovery(), jumped + loaded + [.forgotten(Self.board)]).isEmpty)
    let back: [Observation] = [Self.down, Self.up, .answered(Self.board), .wrote(Self.board, [0x01, 0x80])]
    #expect(!verdict(I14NobodyStopsOthers(boards: 1), jumped + loaded + back + silent).isEmpty)
    let ignored = Observation.published(said("reply/firmware-update", #"{"id":"fw-1","ok":false}"#))
    #expect(!verdict(I14NobodyStopsOthers(boards: 1), jumped + [ignored] + silent).isEmpty)
  }

  @Test func `u 01 sees a jump that nobody ordered, and one with a low battery`() {
    #expect(verdict(U01GatesFirst(), [order, Self.jump]).isEmpty)
    #expect(verdict(U01GatesFirst(), [Self.jump]).count == 1)
    #expect(verdict(U01GatesFirst(), [.fault(.lowBattery(Self.board)), order, Self.jump]).count == 1)
  }

  @Test func `u 02 sees an image for a board that did not say who it is`() {
    let serial = Observation.read(Self.board, MetaMotionAttributes.serialNumber)
    #expect(verdict(U02ProvedFirst(), [Self.up, serial, Self.start]).isEmpty)
    #expect(verdict(U02ProvedFirst(), [Self.up, Self.start]).count == 1)
    #expect(verdict(U02ProvedFirst(), [Self.up, serial, Self.down, Self.up, Self.start]).count == 1)
    #expect(verdict(U02ProvedFirst(), [Self.up, serial, .started, Self.start]).count == 1)
  }

  @Test func `u 03 sees an update that is done before an application said so`() {
    let version = Observation.read(Self.board, MetaMotionAttributes.firmwareRevision)
    let done = Observation.published(said("reply/firmware-update", #"{"id":"fw-1","stage":"done"}"#))
    let sent = [Self.start, .requested(Self.board, [5])]
    let application = Observation.wrote(Self.board, [0x01, 0x80])
    #expect(verdict(U03ReadBack(), sent + [Self.down, Self.up, version, application, done, done]).isEmpty)
    #expect(verdict(U03ReadBack(), sent + [done]).count == 1)
    // That was its bootloader.
    #expect(verdict(U03ReadBack(), sent + [Self.down, Self.up, version, done]).count == 1)
    #expect(verdict(U03ReadBack(), [version, application, Self.down] + sent + [done]).count == 1)
  }

  @Test func `u 05 sees transfers without end`() {
    let starts = Array(repeating: Self.start, count: 7)
    #expect(verdict(U05FewTransfers(), Array(starts.dropLast())).isEmpty)
    #expect(verdict(U05FewTransfers(), starts).count == 1)
    #expect(verdict(U05FewTransfers(), starts.dropLast() + [.started, Self.start]).isEmpty)
  }

  @Test func `u 08 sees two boards that are sent firmware at once, and one that is sent it twice`() {
    let other = FleetHealth.names(2)[1]
    let next = Observation.requested(other, [1, 4])
    #expect(verdict(U08OneTransfer(), [Self.up, Self.start, Self.down, next]).isEmpty)
    #expect(verdict(U08OneTransfer(), [Self.up, Self.start, next]).count == 1)
    #expect(verdict(U08OneTransfer(), [Self.up, Self.start, Self.start]).count == 1)
    #expect(verdict(U08OneTransfer(), [Self.up, Self.start, .started, Self.start]).isEmpty)
  }

  /// The document of a rollout over one board, `second` seconds behind the beginning.
  private func document(
    _ phase: String, second: Int64 = 0, paused: Bool = false, counts: String = #""done":1,"pending":0"#,
    rows: String = ""
  ) -> Observation {
    let text =
      #"{"ts_ms":\#(1_763_671_234_000 + second * 1000),"phase":"\#(phase)","paused":\#(paused),"total":1,"#
      + #""failed":0,"stranded":0,"running":0,"skipped":0,"refused":0,\#(counts),"not_done":[\#(rows)]}"#
    return .published(
      Publication(MQTTMessage(topic: "metafleet/gateway/test/rollout/fw-r", payload: Array(text.utf8))))
  }

  private func member(_ stage: String, second: Int64) -> Observation {
    let time = 1_763_671_234_000 + second * 1000
    return .published(
      said("reply/firmware-update", #"{"id":"fw-r.c0ffee000001","stage":"\#(stage)","ts_ms":\#(time)}"#))
  }

  private func shows(_ version: String, _ isBootloader: Bool = false) -> Observation {
    .shows(Self.board, version: version, isBootloader: isBootloader)
  }

  @Test func `u 08 sees a rollout that says what is not so`() {
    let waits = #""done":0,"pending":1"#
    let row = #"{"board":"c0ffee000001","state":"waiting"}"#
    let going = document("canary", counts: waits, rows: row)
    let sound = [
      going, member("accepted", second: 1), member("done", second: 2), document("done", second: 3),
    ]
    func found(_ observations: [Observation]) -> Int { verdict(U08RolloutInBounds(), observations).count }
    #expect(found(sound + [shows("1.9.1")]) == 0)
    #expect(found(sound + [shows("1.7.3")]) == 1)
    #expect(found(sound + [shows("0.5.0", true)]) == 1)
    #expect(found(sound + [Self.start, shows("1.9.1")]) == 1)
    #expect(found(sound + [member("accepted", second: 4), shows("1.9.1")]) == 1)
    #expect(found(sound + [document("rolling", second: 4), shows("1.9.1")]) == 1)
    #expect(found([document("canary", counts: waits, rows: row), shows("0.5.0", true)]) == 1)
    #expect(found([document("canary", counts: #""done":0,"pending":0"#, rows: row), shows("1.7.3")]) == 1)
    #expect(found([document("canary", counts: waits), shows("1.7.3")]) == 1)
    #expect(found([document("aborted", counts: #""done":0,"pending":1"#, rows: row), shows("1.7.3")]) == 1)
  }

  @Test func `u 08 sees a board that is begun while the rollout is paused`() {
    let row = #"{"board":"c0ffee000001","state":"running"}"#
    let paused = document("canary", paused: true, counts: #""done":0,"pending":1"#, rows: row)
    let begun = [paused, member("accepted", second: 5), shows("1.7.3")]
    #expect(verdict(U08RolloutInBounds(), begun).count == 1)
    let resume = SeededCommand(board: nil, verb: "rollout-resume", id: "c-1", others: "gateway/test")
    #expect(verdict(U08RolloutInBounds(), [paused, .commanded(resume)] + begun.dropFirst()).isEmpty)
  }

  @Test func `u 06 sees an application that is never to start again`() {
    #expect(verdict(U06NeverForGood(), [.wrote(Self.board, [0xFE, 0x08])]).count == 1)
  }
}
