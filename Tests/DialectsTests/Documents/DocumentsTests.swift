import FleetModel
import Testing

@testable import Dialects

/// The documents of MQTT contract 1: exact keys, types, no null.
@Suite struct DocumentsTests {
  private let gateway = "gw-3f-east"
  private let time = Timestamp(nanoseconds: 1_763_671_234_567_890_123)

  // 1.1

  private func info(_ description: BoardDescription?) -> BoardInfo {
    BoardInfo(
      board: .example, family: "metamotion", name: "Pump 3", site: "hq", profile: "vibration",
      groups: ["east", "pumps"], labels: ["room": "3.14"], verbs: ["led", "read"], description: description,
      isHardwareListed: description == nil ? nil : true, interviewed: description == nil ? nil : time,
      changed: time)
  }

  private let description = BoardDescription(
    model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "055B9E",
    hardwareRevision: "0.1", firmwareRevision: "1.7.3", imu: "bmi270",
    modules: [
      "accelerometer": .init(id: 3, isPresent: true, implementation: 4, revision: 0, extra: []),
      "settings": .init(id: 0x11, isPresent: true, implementation: 0, revision: 9, extra: [0x03]),
      "humidity": .init(id: 22, isPresent: false, implementation: nil, revision: nil, extra: []),
    ],
    slots: .init(loggers: 8, processors: 28, events: 28, timers: 8, macros: 8, logEntries: 66_781_184),
    streams: [
      .init(name: "acceleration", offers: ["rate_hz": [12.5, 25, 50, 100], "range_g": [2, 4, 8, 16]]),
      .init(name: "switch", offers: [:]), .init(name: "weather", offers: [:]),
    ])

  private static let infoAlways: [String: ContractType] = [
    "v": .int, "ts_ms": .int, "board": .str, "gw": .str, "address": .str, "family": .str, "name": .str,
    "groups": .array, "labels": .object, "verbs": .array,
  ]
  private static let infoOmitted: [String: ContractType] = [
    "site": .str, "profile": .str, "model": .str, "model_id": .str, "manufacturer": .str, "serial": .str,
    "hw": .str, "fw": .str, "imu": .str, "modules": .object, "slots": .object, "streams": .object,
    "hardware_listed": .bool, "interviewed_ms": .int,
  ]

  @Test func `info before the first interview`() {
    var bare = info(nil)
    bare.site = nil
    bare.profile = nil
    bare.groups = []
    bare.labels = [:]
    let document = BoardInfoDocument(bare, gateway: gateway).json
    expect(document, always: Self.infoAlways)
    #expect(document["groups"] == [] && document["labels"] == [:])
    #expect(document["v"] == 1)
    #expect(document["address"] == "E5:A1:C2:D3:F4:B6")
  }

  @Test func `info after it`() throws {
    let document = BoardInfoDocument(info(description), gateway: gateway).json
    expect(document, always: Self.infoAlways.merging(Self.infoOmitted) { always, _ in always })
    #expect(document["model"] == "MetaMotion S" && document["model_id"] == "8" && document["imu"] == "bmi270")
    #expect(document["interviewed_ms"] == 1_763_671_234_567)
    #expect(
      document["modules"] == [
        "accelerometer": ["id": 3, "present": true, "implementation": 4, "revision": 0, "extra": ""],
        "settings": ["id": 17, "present": true, "implementation": 0, "revision": 9, "extra": "03"],
        "humidity": ["id": 22, "present": false],
      ])
    #expect(
      document["slots"] == [
        "loggers": 8, "processors": 28, "events": 28, "timers": 8, "macros": 8, "log_entries": 66_781_184,
      ])
  }

  @Test func `the streams of info come from the catalogue`() throws {
    let streams = try #require(BoardInfoDocument(info(description), gateway: gateway).json["streams"]?.object)
    #expect(streams.keys == ["acceleration", "switch"])
    let expected = try object(
      """
      {"fields":[{"name":"ax_g","unit":"g","type":"number"},{"name":"ay_g","unit":"g","type":"number"},
       {"name":"az_g","unit":"g","type":"number"}],"via":"stream","streamable":true,"loggable":true,"readable":false,
       "modules":["accelerometer"],"components":["x","y","z"],"entries":2,
       "offers":{"rate_hz":[12.5,25,50,100],"range_g":[2,4,8,16]}}
      """)
    #expect(streams["acceleration"]?.object == expected)
    let flag = try #require(streams["switch"]?.object)
    #expect(flag["fields"] == [["name": "pressed", "unit": "", "type": "flag"]])
    #expect(flag["components"] == nil && flag["offers"] == nil)
  }

  @Test func `what this board cannot log has no entries`() {
    let stream = StreamCatalogue.find("battery")?.stream
    let loggable = stream.map { OfferedStreamDocument($0, [:]) }
    #expect(loggable?[.isLoggable] == true && loggable?[.logEntries] == 1)
    let other = stream.map { OfferedStreamDocument($0, [:], isLoggable: false) }
    #expect(other?[.isLoggable] == false && other?[.logEntries] == nil)
  }

  // 1.2

  @Test func `availability`() throws {
    let document = AvailabilityDocument(Availability(reason: .visited, since: time), gateway: gateway).json
    expect(document, always: ["state": .str, "reason": .str, "since_ms": .int, "gw": .str])
    #expect(
      document
        == (try object(#"{"state":"online","reason":"visited","since_ms":1763671234567,"gw":"gw-3f-east"}"#)))
  }

  // 1.3

  private static let stateAlways: [String: ContractType] = [
    "ts_ms": .int, "board": .str, "gw": .str, "link": .str, "sessions_24h": .int, "session_fail_24h": .int,
    "samples_lost_24h": .int, "commands_waiting": .int,
  ]

  @Test func `state of an unknown board`() {
    expect(
      BoardStateDocument(BoardState(board: .example, link: .unseen, time: time), gateway: gateway).json,
      always: Self.stateAlways)
  }

  @Test func `state of a well known board`() {
    var state = BoardState(board: .example, link: .waitingForSlot, time: time)
    state.reason = StatedReason(.noSlots, "no free place")
    (state.hindrance.since, state.hindrance.until) = (time, time)
    state.adapter = .example
    state.rssi = -63
    state.battery.percent = 81
    state.battery.millivolts = 4_012
    state.battery.time = time
    state.battery.isCharging = false
    state.contact.lastSeen = time
    state.contact.lastSession = time
    state.contact.next = time
    state.orders.maintenance = Maintenance(until: time, reason: "new bearing", who: "anna@pi metafleet")
    state.clock.error = 100
    state.clock.boot = 5
    state.identity.firmware = "1.7.3"
    let document = BoardStateDocument(state, gateway: gateway).json
    expect(
      document,
      always: Self.stateAlways.merging([
        "reason": .str, "reason_code": .str, "since_ms": .int, "until_ms": .int, "adapter": .str,
        "rssi_dbm": .int, "battery_pct": .int, "battery_mv": .int,
        "battery_ms": .int, "charging": .bool, "last_seen_ms": .int, "last_session_ms": .int,
        "next_contact_ms": .int, "clock_err_ms": .num, "boot": .int, "fw": .str,
        "maintenance_until_ms": .int, "maintenance_reason": .str,
        "maintenance_who": .str,
      ]) { always, _ in always })
    #expect(document["link"] == "waiting-for-slot" && document["reason_code"] == "no-slots")
    #expect(document["adapter"] == "001a7dda7113")
    #expect(document.members.allSatisfy { $0.value.object == nil && $0.value.array == nil }, "state is flat")
  }

  // 1.7: the LED in Home Assistant's shape.

  @Test func `LED off`() {
    let document = LEDDocument(LEDState(appearance: nil, until: nil, time: time)).json
    #expect(document == ["state": "OFF", "ts_ms": 1_763_671_234_567])
  }

  @Test func `LED on`() {
    let appearance = LEDAppearance(
      color: LEDColor(red: 255, green: 0, blue: 51), brightness: 128, effect: "blink")
    let document = LEDDocument(LEDState(appearance: appearance, until: time + .seconds(1), time: time)).json
    #expect(
      document == [
        "state": "ON", "ts_ms": 1_763_671_234_567, "color_mode": "rgb", "color": ["r": 255, "g": 0, "b": 51],
        "brightness": 128, "effect": "blink", "until_ms": 1_763_671_235_567,
      ])
    #expect(LEDDocument(LEDState(appearance: appearance, until: nil, time: time)).json["until_ms"] == nil)
  }

  @Test func `the largest part is 255, and the light is not told brighter than it is`() {
    func led(_ color: LEDColor, _ brightness: UInt8) -> JSONObject {
      LEDDocument(
        LEDState(
          appearance: LEDAppearance(color: color, brightness: brightness, effect: "solid"), until: nil,
          time: time)
      ).json
    }
    let dim = led(LEDColor(red: 51, green: 102, blue: 0), 255)
    #expect(dim["color"] == ["r": 128, "g": 255, "b": 0])
    #expect(dim["brightness"] == 102)
    #expect(led(.white, 77)["brightness"] == 77)
    #expect(led(LEDColor(red: 0, green: 0, blue: 0), 255)["color"] == ["r": 0, "g": 0, "b": 0])
  }

  // 1.6

  @Test func `gateway availability`() {
    #expect(GatewayAvailabilityDocument(isOnline: false, birth: 7).json == ["state": "offline", "birth": 7])
    #expect(
      GatewayAvailabilityDocument(isOnline: true, birth: 8, since: time, reason: "started").json == [
        "state": "online", "birth": 8, "since_ms": 1_763_671_234_567, "reason": "started",
      ])
  }

  @Test(arguments: [nil, "hq"])
  func `gateway info`(site: String?) {
    let info = GatewayInfo(
      site: site, version: "1.0.0", host: "pi", operatingSystem: "Linux 6.1",
      configurationHash: "426fbef519ae27f1",
      started: time, adapters: [.example], boards: [.example], admissionMode: "listed", verbs: ["admit"],
      mqttProtocol: "5", changed: time)
    let document = GatewayInfoDocument(info, gateway: gateway).json
    expect(
      document,
      always: [
        "v": .int, "ts_ms": .int, "gateway": .str, "version": .str, "host": .str, "os": .str,
        "mqtt_protocol": .str, "config_hash": .str, "started_ms": .int, "adapters": .array, "boards": .array,
        "admission": .str, "verbs": .array,
      ], omitted: ["site": .str, "build": .str, "bluez_version": .str])
    #expect(document["site"]?.string == site)
    #expect(document["boards"] == ["e5a1c2d3f4b6"] && document["adapters"] == ["001a7dda7113"])
  }

  @Test func `F102 gateway info says how the last run ended, unless it was stopped in order`() {
    var info = GatewayInfo(
      site: nil, version: "1.0.0", host: "pi", operatingSystem: "Linux 6.1", configurationHash: "",
      started: time, adapters: [], boards: [], admissionMode: "listed", verbs: [], mqttProtocol: "5",
      changed: time)
    #expect(GatewayInfoDocument(info, gateway: gateway)[.lastCrash] == nil)
    let ended = Timestamp(milliseconds: time.milliseconds)
    for crash in [
      CrashReport(.signal, signal: "SIGSEGV", ended: ended, count: 3), CrashReport(.powerLoss),
      CrashReport(.exit, status: 70, message: "the database failed"),
    ] {
      info.lastCrash = crash
      let json = GatewayInfoDocument(info, gateway: gateway)[.lastCrash] ?? [:]
      #expect(CrashDocument(json: json).report == crash)
    }
    info.lastCrash = CrashReport(.signal, signal: "SIGSEGV", ended: time, count: 3)
    #expect(
      GatewayInfoDocument(info, gateway: gateway)[.lastCrash]
        == ["reason": "signal", "signal": "SIGSEGV", "ended_ms": 1_763_671_234_567, "count": 3])
  }

  @Test func `gateway info names what somebody has to see to, and only that`() {
    var info = GatewayInfo(
      site: nil, version: "1.0.0", host: "pi", operatingSystem: "Linux 6.1", configurationHash: "0",
      started: time, adapters: [], boards: [], admissionMode: "listed", verbs: [], mqttProtocol: "5",
      changed: time)
    let keys = [
      "config_error", "withheld", "refused_topics", "refused_reason", "refused_subscriptions",
      "replaced_database",
    ]
    let fine = GatewayInfoDocument(info, gateway: gateway).json
    #expect(keys.allSatisfy { fine[$0] == nil })
    info.troubles.configurationError = "line 3"
    info.troubles.withheld = [.example]
    info.troubles.refusedTopics = ["m/x"]
    info.troubles.refusalReason = "quota exceeded"
    info.troubles.refusedSubscriptions = ["m/cmd/#"]
    info.troubles.replacedDatabase = "/state/metafleet.sqlite.damaged-1"
    let document = GatewayInfoDocument(info, gateway: gateway).json
    #expect(
      keys.map { document[$0] } == [
        "line 3", ["e5a1c2d3f4b6"], ["m/x"], "quota exceeded", ["m/cmd/#"],
        "/state/metafleet.sqlite.damaged-1",
      ])
  }

  @Test func `health holds every metric even when it is not known`() {
    let document = HealthDocument(
      [.uptime: 12.5, .residentMemory: 30_000_000], at: time, storage: .fine, gateway: gateway
    ).json
    var always: [String: ContractType] = ["ts_ms": .int, "gw": .str, "storage": .str]
    for metric in Metric.allCases { always[metric.rawValue] = .num }
    expect(document, always: always)
    #expect(document["uptime_s"] == 12.5 && document["samples_in"]?.number == 0)
  }

  private static let adapterAlways: [String: ContractType] = [
    "ts_ms": .int, "gw": .str, "adapter": .str, "name": .str, "state": .str, "slots_used": .int,
    "slots_free": .int, "slots_total": .int, "waiting": .int, "queue": .array, "connected": .array,
    "load_packets_per_s": .num, "capacity_packets_per_s": .num, "scanning": .bool,
    "resets": .int, "scan_restarts": .int, "connects_ok": .int, "connects_failed": .int,
  ]

  @Test func `adapter at rest`() {
    expect(
      AdapterDocument(
        AdapterReport(id: .example, name: "hci0", state: "up", slotsTotal: 5), at: time, gateway: gateway
      ).json,
      always: Self.adapterAlways)
  }

  @Test func `adapter at work`() {
    var report = AdapterReport(id: .example, name: "hci0", state: "up", slotsTotal: 5)
    report.slotsUsed = 3
    report.slotsLearned = 5
    report.connecting = .example
    report.connected = [.example]
    report.load = 52.5
    report.queue = ConnectionQueue(
      waiting: 40, requests: (0..<30).map { _ in .init(board: .example, purpose: "poll", since: time) })
    report.lastAdvertisement = time - .milliseconds(420)
    report.lastSeen = time
    report.lastError = StatedReason(.refused, "not today")
    report.lastErrorTime = time
    report.scanTrouble = StatedReason(.scanSilent, "nothing comes")
    let document = AdapterDocument(report, at: time, gateway: gateway).json
    expect(
      document,
      always: Self.adapterAlways.merging([
        "slots_learned": .int, "connecting": .str, "scan_age_s": .num, "last_error": .str,
        "last_error_ms": .int, "reason_code": .str, "scan_reason": .str, "scan_reason_code": .str,
        "last_seen_ms": .int,
      ]) { always, _ in always })
    #expect(document["slots_free"] == 2 && document["scan_age_s"] == 0.4)
    #expect(document["connected"] == ["e5a1c2d3f4b6"])
    #expect(
      document["load_packets_per_s"]?.number == 52.5 && document["capacity_packets_per_s"]?.number == 266)
    #expect(document["waiting"] == 40 && document["queue"]?.array?.count == ConnectionQueue.greatestCount)
    #expect(
      document["queue"]?.array?.first == [
        "board": "e5a1c2d3f4b6", "purpose": "poll", "since_ms": .integer(time.milliseconds),
      ])
  }

  @Test func `more links than places, and an advertisement from the future, are no negative numbers`() {
    var report = AdapterReport(id: .example, name: "hci0", state: "up", slotsTotal: 2)
    report.slotsUsed = 3
    report.lastAdvertisement = time + .seconds(5)
    let document = AdapterDocument(report, at: time, gateway: gateway).json
    #expect(document["slots_free"] == 0 && document["scan_age_s"]?.number == 0)
  }

  // 5

  @Test func `event of a board as in the example`() throws {
    let document = EventDocument(
      EventMessage(.button, "press", subject: .board(.example), id: .example, time: time), gateway: gateway
    ).json
    #expect(
      document
        == (try object(
          """
          {"ts_ms":1763671234567,"event_id":"\(ULID.example)","kind":"button","event_type":"press","board":"e5a1c2d3f4b6",
           "gw":"gw-3f-east"}
          """)))
  }

  @Test func `event of the gateway`() {
    let document = EventDocument(
      EventMessage(
        .boardDiscovered, "new", subject: .gateway,
        fields: ["board": "e5a1c2d3f4b6", "name": "MetaWear", "rssi_dbm": -63],
        message: "a stranger", id: .example, time: time), gateway: gateway
    ).json
    expect(
      document,
      always: [
        "ts_ms": .int, "event_id": .str, "event_type": .str, "kind": .str, "gw": .str, "board": .str,
        "name": .str, "rssi_dbm": .int, "message": .str,
      ])
    #expect(document["kind"] == "board-discovered" && document["event_type"] == "new")
  }
}
