import Dialects
import FleetModel
import Testing

@testable import Fleet

@Suite struct ExplanationRuleTests {
  private static let now = Timestamp(milliseconds: 1_763_671_090_000)
  private static let board = BoardID(BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6))

  /// A fleet in which all is well, with some documents replaced.
  private static func explain(
    _ changes: [String: String] = [:], heard: [String]? = nil
  ) -> Explanation {
    var documents = [
      "board/e5a1c2d3f4b6/info": #"{"name":"Pump 3","gw":"g1","profile":"vibration"}"#,
      "board/e5a1c2d3f4b6/availability": #"{"state":"online","reason":"connected","since_ms":1763671000000}"#,
      "board/e5a1c2d3f4b6/state": #"{"link":"streaming","battery_pct":81,"gw":"g1"}"#,
      "gateway/g1/availability": #"{"state":"online","birth":3,"since_ms":1763670000000}"#,
      "gateway/g1/info": #"{"host":"attic"}"#,
      "gateway/g1/health": #"{"bluetooth_ok":1,"storage_ok":1,"clock_synced":1}"#,
      "gateway/g1/adapter/001a7dda7113":
        #"{"name":"hci0","state":"up","slots_used":5,"slots_total":5,"waiting":3}"#,
    ]
    for (topic, text) in changes { documents[topic] = text }
    var fleet = FleetView(base: "metafleet", scope: .everything)
    for (topic, text) in documents { fleet.apply(topic: "metafleet/\(topic)", payload: Array(text.utf8)) }
    let traffic = heard.map { messages in
      var traffic = ReceivedTraffic(span: .seconds(2))
      for text in messages { traffic.received(MQTTMessage(topic: "x", payload: Array(text.utf8))) }
      return traffic
    }
    return ExplanationRule(board: board, fleet: fleet, now: now, heard: traffic).explain()
  }

  private static func state(_ text: String) -> [String: String] { ["board/e5a1c2d3f4b6/state": text] }

  private static func documents(_ state: String, _ reason: String, _ document: String) -> [String: String] {
    [
      "board/e5a1c2d3f4b6/availability":
        #"{"state":"\#(state)","reason":"\#(reason)","since_ms":1763671000000}"#,
      "board/e5a1c2d3f4b6/state": document,
    ]
  }

  @Test func `who waits for a slot is told the turn, since when, and each waiting board is counted once`() {
    let queue =
      #"[{"board":"e5a1c2d3f4b7","since_ms":1},{"board":"e5a1c2d3f4b6","purpose":"poll","since_ms":1763671080000}]"#
    var documents = Self.documents("online", "advertising", #"{"link":"waiting-for-slot","gw":"g1"}"#)
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
        Self.explain([
          "board/e5a1c2d3f4b6/state":
            #"{"link":"\#(link)","gw":"g1","reason":"\#(sentence)","reason_code":"\#(code.rawValue)"}"#
        ]).causes.map(\.code)
      }
      #expect(Set(causes).count == 1, "\(link): \(causes)")
    }
  }

  @Test func `F140 a sentence without a code decides nothing`() {
    for sentence in ["disabled (enabled: false)", "disconnected on request", "busy-elsewhere: x"] {
      let state = #"{"link":"advertising","gw":"g1","reason":"\#(sentence)"}"#
      #expect(Self.explain(Self.state(state)).causes.map(\.code) == [.waitingForSlot])
    }
  }

  @Test func `all is well`() {
    let quiet = Self.explain()
    #expect(quiet == Explanation(summary: "receiving data (streaming)", hasData: true, causes: [], next: []))
    let heard = Self.explain(heard: [#"{"board":"e5a1c2d3f4b6","stream":"acceleration"}"#])
    #expect(heard.summary == "receiving data (streaming), just now acceleration")
    #expect(Self.explain(heard: []).summary == "streaming, but no live sample was received within 2s")
  }

  /// Documents, and the cause they make with a word of its advice.
  static let cases: [([String: String], Explanation.Code, String)] = [
    (
      [
        "board/e5a1c2d3f4b6/info": "", "board/e5a1c2d3f4b6/availability": "", "board/e5a1c2d3f4b6/state": "",
      ], .notAdmitted, "metafleet admit E5:A1:C2:D3:F4:B6"
    ),
    (
      [
        "gateway/g1/availability":
          #"{"state":"offline","birth":3,"reason":"stopped","since_ms":1763671000000}"#
      ],
      .gatewayStopped, "start it on attic"
    ),
    (["gateway/g1/availability": #"{"state":"offline","birth":3}"#], .gatewayStopped, "journalctl"),
    (["gateway/g1/availability": ""], .gatewayStopped, "not on this broker"),
    (
      documents("unknown", "bus-lost", #"{"link":"unseen","gw":"g1"}"#), .bluetoothDown,
      "systemctl start bluetooth"
    ),
    (
      documents("unknown", "starting", #"{"link":"unseen","gw":"g1"}"#).merging(
        ["gateway/g1/health": #"{"bluetooth_ok":0}"#]) { $1 }, .bluetoothDown, "systemctl start bluetooth"
    ),
    (
      documents("unknown", "no-adapter", #"{"link":"unseen","gw":"g1"}"#).merging(
        ["gateway/g1/adapter/001a7dda7113": #"{"name":"hci0","state":"blocked"}"#]) { $1 }, .adapterDown,
      "hci0 is blocked"
    ),
    (documents("unknown", "no-adapter", #"{"link":"unseen","gw":"g1"}"#), .adapterDown, "rfkill"),
    (
      documents(
        "online", "advertising",
        #"{"link":"advertising","gw":"g1","reason":"busy-elsewhere: Notify acquired","reason_code":"busy-elsewhere"}"#
      ),
      .busyElsewhere, "disconnect it there"
    ),
    (
      documents(
        "offline", "connect-failed",
        #"{"link":"unreachable","gw":"g1","reason":"refused: le-connection-abort","reason_code":"refused"}"#),
      .connectFailing, "le-connection-abort"
    ),
    (documents("offline", "connect-failed", #"{"link":"unreachable","gw":"g1"}"#), .connectFailing, "nearer"),
    (
      documents("online", "advertising", #"{"link":"waiting-for-slot","gw":"g1"}"#), .waitingForSlot,
      "5 of 5 connections are in use, 3 boards wait"
    ),
    (
      documents("online", "advertising", #"{"link":"advertising","gw":"g1"}"#), .waitingForSlot,
      "waits to connect"
    ),
    (
      documents("offline", "silent", #"{"link":"unseen","gw":"g1","last_seen_ms":1763670000000}"#),
      .silentSince,
      "charge it"
    ),
    (
      documents("offline", "silent", #"{"link":"unseen","gw":"g1"}"#), .notSeen,
      "is E5:A1:C2:D3:F4:B6 its address?"
    ),
    (
      documents("unknown", "starting", #"{"link":"unseen","gw":"g1"}"#), .notSeen,
      "no advertisements received"
    ),
    (documents("offline", "asleep", #"{"link":"unseen","gw":"g1"}"#), .asleep, "press its button"),
    (documents("offline", "bootloader", #"{"link":"bootloader","gw":"g1"}"#), .bootloader, "bootloader"),
    (state(#"{"link":"bootloader","gw":"g1"}"#), .bootloader, "reset it"),
    (documents("unknown", "moved", #"{"link":"unseen","gw":"g1"}"#), .ownedElsewhere, "another gateway"),
    (
      documents(
        "online", "advertising", #"{"link":"advertising","gw":"g1","reason":"x","reason_code":"disabled"}"#
      ),
      .disabled, "--enabled"
    ),
    (
      documents(
        "online", "advertising", #"{"link":"advertising","gw":"g1","reason":"x","reason_code":"held"}"#),
      .held, "disconnect"
    ),
    (
      documents(
        "online", "advertising", #"{"link":"advertising","gw":"g1","reason":"x","reason_code":"drained"}"#),
      .drained, "gateway:g1 drain resume=true"
    ),
    (state(#"{"link":"idle","gw":"g1"}"#), .profileEmpty, "profile vibration"),
    (
      state(
        #"{"link":"idle","gw":"g1","reason":"pressure: there is no barometer","reason_code":"setup-unsupported"}"#
      ), .notInSync, "barometer"
    ),
    (
      [
        "board/e5a1c2d3f4b6/state": #"{"link":"idle","gw":"g1"}"#,
        "board/e5a1c2d3f4b6/config": #"{"in_sync":false,"differences":["timers/minute missing"]}"#,
      ], .notInSync, "timers/minute missing"
    ),
    (
      documents("offline", "silent", #"{"link":"unseen","gw":"g1","battery_pct":3,"battery_ms":1}"#),
      .batteryEmpty,
      "charge it"
    ),
    (
      ["gateway/g1/health": #"{"bluetooth_ok":1,"storage_ok":0,"clock_synced":1}"#], .storageFull,
      "free space"
    ),
    (
      ["gateway/g1/health": #"{"bluetooth_ok":1,"storage_ok":1,"clock_synced":0}"#], .clockUnset,
      "timedatectl"
    ),
    (state(#"{"link":"streaming","gw":"g1","log_used_pct":100}"#), .logFull, "download"),
  ]

  @Test(arguments: cases)
  func `every cause is told with what to do`(
    _ changes: [String: String], _ code: Explanation.Code, _ words: String
  ) throws {
    let explanation = Self.explain(changes)
    let cause = try #require(explanation.causes.first { $0.code == code }, "\(explanation)")
    #expect(cause.text.contains(words))
    // Warnings do not keep data from coming; everything else does.
    #expect(explanation.hasData == [.storageFull, .clockUnset, .logFull].contains(code))
  }

  @Test func `what is heard counts: a silent stream, a broker that refuses`() {
    let silent = Self.explain(heard: [
      #"{"kind":"stream-silent","event_type":"silent","stream":"acceleration","ts_ms":1763671000000}"#
    ])
    #expect(silent.causes.map(\.code) == [.streamSilent])
    #expect(!silent.hasData)
    let recovered = Self.explain(heard: [#"{"kind":"stream-silent","event_type":"recovered","stream":"x"}"#])
    #expect(recovered.causes.isEmpty)
    let refused = Self.explain(heard: [#"{"kind":"publish-refused","event_type":"quota","topic":"t"}"#])
    #expect(refused.causes.map(\.code) == [.brokerRefused])
    #expect(refused.hasData)
  }

  @Test(
    arguments: [
      ("stream-silent", Explanation.Code.streamSilent, false), ("samples-missing", .streamRate, true),
      ("sensor-slow", .streamRate, true), ("sensor-fast", .streamRate, true),
      ("packets-doubled", .streamRate, true), ("not-logged", .notLogged, true),
    ])
  func
    `F160 what is lastingly wrong with streams is told with its advice; a silent one means that no data come`(
      reason: String, code: Explanation.Code, hasData: Bool
    ) throws
  {
    let state =
      #"{"link":"streaming","gw":"g1","stream_reason_code":"\#(reason)","stream_reason":"acceleration: so it is"}"#
    let explanation = Self.explain(Self.documents("online", "connected", state))
    #expect(explanation.causes.map(\.code) == [code] && explanation.hasData == hasData)
    #expect(explanation.causes.first?.text == "acceleration: so it is")
  }

  @Test func `F160 a board that should log and cannot brings nothing`() {
    let state =
      #"{"link":"advertising","gw":"g1","stream_reason_code":"not-logged","stream_reason":"log/acceleration: no slot"}"#
    let explanation = Self.explain(Self.documents("online", "advertising", state))
    #expect(explanation.causes.contains { $0.code == .notLogged } && !explanation.hasData)
  }

  @Test func `a gateway that is gone is the only cause: the rest is only on paper`() {
    var changes = Self.documents("offline", "asleep", #"{"link":"unseen","gw":"g1","battery_pct":1}"#)
    changes["gateway/g1/availability"] = #"{"state":"offline","birth":3}"#
    #expect(Self.explain(changes).causes.map(\.code) == [.gatewayStopped])
  }

  @Test func `a board that is being connected has no cause, and logging is data to come`() {
    for phase in ["connecting", "interviewing"] {
      let explanation = Self.explain(
        Self.documents("online", "advertising", #"{"link":"\#(phase)","gw":"g1"}"#))
      #expect(explanation.causes.isEmpty)
      #expect(!explanation.hasData)
    }
    let logging = Self.explain(Self.state(#"{"link":"logging","gw":"g1","next_contact_ms":1763671100000}"#))
    #expect(logging.hasData)
    #expect(logging.next.map(\.time.milliseconds) == [1_763_671_100_000])
    let late = Self.explain(Self.state(#"{"link":"logging","gw":"g1","next_contact_ms":1763671000000}"#))
    #expect(late.next.isEmpty)
  }

  @Test func `a board that is visited while it logs has data to give`() {
    let config = "board/e5a1c2d3f4b6/config"
    let idle = Self.state(#"{"link":"idle","gw":"g1"}"#)
    let logging = idle.merging([
      config: #"{"in_sync":true,"reported":{"log":{"acceleration":{"rate_hz":100}}}}"#
    ]) { $1 }
    #expect(
      Self.explain(logging)
        == Explanation(summary: "receiving data (idle)", hasData: true, causes: [], next: []))
    let nothing = Self.explain(idle.merging([config: #"{"in_sync":true,"reported":{}}"#]) { $1 })
    #expect(!nothing.hasData && nothing.causes.map(\.code) == [.profileEmpty])
  }

  @Test func `documents of any shape are no trouble`() {
    for text in ["{}", #"{"link":5,"reason":[],"battery_pct":"x"}"#, #"{"link":"novel","gw":"g1"}"#] {
      #expect(!Self.explain(Self.state(text)).hasData)
    }
  }

  @Test func `as JSON it is the contract's reply`() {
    let explanation = Explanation(
      summary: "no data (unseen)", hasData: false,
      causes: [
        .init(.asleep, since: Self.now - .seconds(90), "press its button"), .init(.notSeen, "where is it?"),
      ],
      next: [.init(time: Self.now + .seconds(60), text: "visit")])
    #expect(
      explanation.json == [
        "summary": "no data (unseen)", "has_data": false,
        "causes": [
          ["code": "asleep", "since_ms": 1_763_671_000_000, "text": "press its button"],
          ["code": "not-seen", "text": "where is it?"],
        ], "next": [["at_ms": 1_763_671_150_000, "text": "visit"]],
      ])
  }
}
