import Dialects
import FleetModel
import Testing

@testable import Fleet

@Suite struct ExplanationRuleTests {
  private static let root = ExplanationExample.root

  private static func explain(_ documents: [String: String] = [:], heard: [String]? = nil) -> Explanation {
    var example = ExplanationExample()
    example.publish(documents)
    return example.explain(heard: heard)
  }

  private static func state(_ fields: String) -> [String: String] {
    ["\(root)/state": #"{"gw":"g1",\#(fields)}"#]
  }

  @Test func `all is well`() {
    let quiet = Self.explain()
    #expect(quiet == Explanation(summary: "receiving data (streaming)", hasData: true, causes: [], next: []))
    #expect(Self.explain(heard: ["steps"]).summary == "receiving data (streaming), just now steps")
    #expect(Self.explain(heard: []).summary == "streaming, but no live sample was received within 2s")
  }

  @Test func `who waits for a slot is told the turn, since when, and each waiting board is counted once`() {
    let queue =
      #"[{"board":"e5a1c2d3f4b7","since_ms":1},{"board":"e5a1c2d3f4b6","purpose":"poll","since_ms":1763671080000}]"#
    var documents = Self.state(#""link":"waiting-for-slot""#)
    for (mac, name) in [("001a7dda7113", "hci0"), ("001a7dda7114", "hci1")] {
      documents["gateway/g1/adapter/\(mac)"] =
        #"{"name":"\#(name)","state":"up","slots_used":5,"slots_total":5,"waiting":2,"queue":\#(name == "hci1" ? queue : "[]")}"#
    }
    let cause = Self.explain(documents).causes.first
    #expect(
      cause?.text.contains("10 of 10 connections are in use, 2 boards wait, this one as number 2 for hci1;")
        == true)
    #expect(cause?.since == Timestamp(milliseconds: 1_763_671_080_000))
  }

  @Test(arguments: ReasonCode.allCases)
  func `F140 how a reason is worded changes nothing but what is quoted`(_ code: ReasonCode) {
    let old = ["disabled (enabled: false)", "disconnected on request", "busy-elsewhere: x", "no-slots: x"]
    for link in ["advertising", "unreachable", "waiting-for-slot", "idle", "streaming"] {
      let causes = (old + ["", "said in other words"]).map { sentence in
        Self.explain(
          Self.state(#""link":"\#(link)","reason":"\#(sentence)","reason_code":"\#(code.rawValue)""#)
        )
        .causes.map(\.code)
      }
      #expect(Set(causes).count == 1, "\(link): \(causes)")
    }
  }

  @Test func `F140 a sentence without a code decides nothing`() {
    for sentence in ["disabled (enabled: false)", "disconnected on request", "busy-elsewhere: x"] {
      let documents = Self.state(#""link":"advertising","reason":"\#(sentence)""#)
      #expect(Self.explain(documents).causes.map(\.code) == [.waitingToConnect])
    }
  }

  @Test func `a cause names the recorded reason, and since when that is so`() {
    let cause = Self.explain(
      Self.state(
        #""link":"unreachable","reason":"refused: x","reason_code":"refused","since_ms":1763671000000"#)
    ).causes.first
    #expect(cause?.reason == .refused && cause?.since == Timestamp(milliseconds: 1_763_671_000_000))
  }

  @Test func `F160 a silent stream means that no data come, and is the only cause`() {
    let explanation = Self.explain([
      "\(Self.root)/state":
        #"{"link":"streaming","gw":"g1","stream_reason_code":"stream-silent","stream_reason":"acceleration: so it is"}"#,
      "\(Self.root)/config": #"{"in_sync":false,"differences":["stream/acceleration silent"]}"#,
    ])
    #expect(explanation.causes.map(\.code) == [.streamSilent] && !explanation.hasData)
    #expect(explanation.causes.first?.text == "acceleration: so it is")
  }

  @Test(arguments: ["samples-missing", "sensor-slow", "sensor-fast", "packets-doubled", "not-logged"])
  func `F160 what else is lastingly wrong with streams leaves data, and the board does not do what it should`(
    _ reason: String
  ) {
    let explanation = Self.explain(
      Self.state(#""link":"streaming","stream_reason_code":"\#(reason)","stream_reason":"acceleration: x""#))
    #expect(explanation.hasData && !explanation.isFine)
  }

  @Test func `F160 a board that should log and cannot brings nothing`() {
    let explanation = Self.explain(
      Self.state(
        #""link":"advertising","stream_reason_code":"not-logged","stream_reason":"log/acceleration: no slot","next_contact_ms":1763671100000"#
      ))
    #expect(explanation.causes.contains { $0.code == .notLogged } && !explanation.hasData)
  }

  @Test func `F177 loggers that are refused are told once, as what they are`() {
    let explanation = Self.explain([
      "\(Self.root)/state":
        #"{"link":"streaming","gw":"g1","reason":"log/acceleration: x","reason_code":"setup-no-slots","stream_reason_code":"not-logged","stream_reason":"log/acceleration: x"}"#,
      "\(Self.root)/config":
        #"{"in_sync":false,"differences":["log/acceleration missing"],"error":"x","reason_code":"setup-no-slots"}"#,
    ])
    #expect(explanation.causes.map(\.code) == [.notLogged])
  }

  @Test func `a gateway that is gone is the only cause: the rest is only on paper`() {
    var documents = Self.state(#""link":"unseen","battery_pct":1"#)
    documents["gateway/g1/availability"] = #"{"state":"offline","birth":3}"#
    #expect(Self.explain(documents).causes.map(\.code) == [.gatewayStopped])
  }

  @Test
  func
    `an adapter that receives nothing comes first where nothing works, and behind where it works for others`()
  {
    let board = [
      "\(Self.root)/availability": #"{"state":"offline","reason":"silent"}"#,
      "\(Self.root)/state":
        #"{"link":"unseen","gw":"g1","last_seen_ms":1763670000000,"reason":"x","reason_code":"awaiting-advertisement"}"#,
    ]
    func causes(connected: String) -> [Explanation.Code] {
      let adapter =
        #"{"name":"hci0","state":"up","scanning":true,"scan_reason":"x","scan_reason_code":"scan-silent","connected":[\#(connected)]}"#
      return Self.explain(board.merging(["gateway/g1/adapter/001a7dda7113": adapter]) { $1 }).causes.map(
        \.code)
    }
    #expect(causes(connected: "") == [.adapterDeaf, .silentSince])
    #expect(causes(connected: #""c0ffee000001""#) == [.silentSince, .adapterDeaf])
  }

  @Test func `boards that a replaced database has forgotten are told of it`() {
    let removed = ["info", "availability", "state", "config", "firmware"].map { ("\(Self.root)/\($0)", "") }
    var documents = Dictionary(uniqueKeysWithValues: removed)
    documents["gateway/g1/info"] = #"{"boards":[],"replaced_database":"/state/metafleet.sqlite.damaged-1"}"#
    #expect(Self.explain(documents).causes.map(\.code) == [.notAdmitted, .databaseReplaced])
  }

  @Test(arguments: [(1_763_671_079_999, true), (1_763_671_080_000, false)])
  func `a board that was just admitted is none that its gateway has dropped, whose list comes a moment later`(
    listed: Int, isKnown: Bool
  ) {
    let info = ExplanationExample.info(#""ts_ms":\#(listed)"#, isListed: false)
    #expect(Self.explain(["gateway/g1/info": info]).isFine == isKnown)
  }

  @Test
  func `what happens next is said: a visit, the end of a suspension, or that the board becomes offline`() {
    func next(_ fields: String) -> String? { Self.explain(Self.state(fields)).next.first?.text }
    #expect(next(#""link":"logging","next_contact_ms":1763671100000"#)?.contains("visit") == true)
    #expect(
      next(#""link":"advertising","reason":"x","reason_code":"held","until_ms":1763671100000"#)?
        .contains("connects") == true)
    #expect(
      next(#""link":"connecting","next_contact_ms":1763671100000"#)?.contains("becomes offline") == true)
    // Without a radio it is unknown, however long.
    for reason in ["no-adapter", "bus-lost"] {
      var documents = Self.state(#""link":"unseen","next_contact_ms":1763671100000"#)
      documents["\(Self.root)/availability"] = #"{"state":"unknown","reason":"\#(reason)","gw":"g1"}"#
      #expect(Self.explain(documents).next.isEmpty)
    }
    #expect(next(#""link":"logging","next_contact_ms":1763671000000"#) == nil)
    #expect(next(#""link":"streaming","next_contact_ms":1763671100000"#) == nil)
  }

  @Test func `a board that is visited while it logs has data to give`() {
    let logging = Self.explain([
      "\(Self.root)/state": #"{"link":"idle","gw":"g1"}"#,
      "\(Self.root)/config": #"{"in_sync":true,"reported":{"log":{"acceleration":{"rate_hz":100}}}}"#,
    ])
    #expect(logging == Explanation(summary: "receiving data (idle)", hasData: true, causes: [], next: []))
  }

  @Test func `documents of any shape are no trouble`() {
    for text in ["{}", #"{"link":5,"reason":[],"battery_pct":"x"}"#, #"{"link":"novel","gw":"g1"}"#] {
      let explanation = Self.explain(["\(Self.root)/state": text])
      #expect(!explanation.hasData && !explanation.isFine)
    }
  }

  @Test func `as JSON it is the contract's reply`() {
    let now = ExplanationExample.now
    let explanation = Explanation(
      summary: "no data (unseen)", hasData: false,
      causes: [
        .init(.asleep, reason: .asleep, since: now - .seconds(90), "press its button"),
        .init(.notSeen, "where is it?"),
      ],
      next: [.init(time: now + .seconds(60), text: "visit")])
    #expect(
      explanation.json == [
        "summary": "no data (unseen)", "has_data": false, "ok": false,
        "causes": [
          [
            "code": "asleep", "reason_code": "asleep", "since_ms": 1_763_671_000_000,
            "text": "press its button",
          ],
          ["code": "not-seen", "text": "where is it?"],
        ], "next": [["at_ms": 1_763_671_150_000, "text": "visit"]],
      ])
  }
}
