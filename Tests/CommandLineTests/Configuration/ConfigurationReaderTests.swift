import FleetModel
import Testing

@testable import metafleet

@Suite struct ConfigurationReaderTests {
  @Test func `what is allowed is read rule by rule; a list without rules allows nothing`() {
    let rules = read("commands: { allow: [{ verbs: [led, raw], groups: [east] }, { boards: [\"*\"] }] }")
    #expect(
      rules.configuration.commands.permissions
        == CommandPermissions([.init(verbs: ["led", "raw"], groups: ["east"]), .init(boards: ["*"])]))
    #expect(read("commands: { allow: [] }").configuration.commands.permissions == CommandPermissions([]))
    #expect(read("commands: { allow: }").configuration.commands.permissions == CommandPermissions())
  }

  @Test(arguments: ["", "\n# nothing\n", "mqtt:\n", "{}", "profiles: {}\nboards: []\n"])
  func `an empty file is valid and means all defaults`(_ text: String) {
    let result = read(text)
    #expect(result.problems.isEmpty)
    var expected = FleetConfiguration()
    expected.gateway.id = "floor-3"
    expected.hash = result.configuration.hash
    #expect(result.configuration == expected)
  }

  @Test
  func `F161 a profile that asks for more than a link carries is warned of; what is only logged is not`()
    throws
  {
    let fast = "{ acceleration: { rate_hz: 800, packed: off } }"
    let problems = read("profiles: { shake: { stream: \(fast) } }").problems
    let warning = try #require(problems.first)
    #expect(problems.count == 1 && warning.severity == .warning)
    #expect(warning.text.contains("profiles.shake.stream asks for 800 packets a second (acceleration 800)"))
    #expect(read("profiles: { shake: { log: { acceleration: { rate_hz: 800 } } } }").problems.isEmpty)
  }

  @Test func `every key of a complete file arrives`() {
    let result = read(
      """
      gateway: { id: floor-3-east, site: hq }
      mqtt:
        host: broker.example
        port: 8884
        tls: { ca: ca.pem, certificate: /c.pem, key: "credential:key" }
        username: me
        password_file: secrets/mqtt
        base: a/b
        client_id: mine
        protocol: 3.1.1
        keepalive: 1m
        connect_timeout: 5s
      storage:
        directory: state
        min_free: 1GiB
        outbox: { max_size: 5MB, max_age: 1d, drain_per_s: 7 }
        replay: 1h30m
        retain: 2d
        max_size: 3MB
      lanes: { live: { rate_hz: 0.5 }, record: { max_samples: 25, max_span: 100ms } }
      bluetooth: { adapters: [00:1A:7D:DA:71:13], max_links_per_adapter: 5, connect_timeout: 60s }
      schedules: { battery: [daily 03:00, weekly sun 04:30] }
      admission: { mode: window, window: 5m, profile: p }
      commands: { queue_per_board: 3, queue_per_adapter: 9, per_min: 27 }
      log: { level: debug, format: json }
      profiles: { p: { stream: { acceleration: {} }, button: false, link: hold, availability_window: 90s } }
      boards:
        - { address: e5a1c2d3f4b6, name: Pump 3, site: roof, profile: p, groups: [east], labels: { room: 3.10 },
            adapter: "00:1A:7D:DA:71:13", enabled: false }
      """)
    #expect(result.problems == [])
    let configuration = result.configuration
    #expect(configuration.gateway == GatewayIdentity(id: "floor-3-east", site: "hq"))

    var mqtt = UplinkConfiguration()
    mqtt.host = "broker.example"
    mqtt.port = 8884
    mqtt.tls = TLSConfiguration(
      authority: "/etc/metafleet/ca.pem", certificate: "/c.pem", key: "/run/credentials/key")
    mqtt.username = "me"
    mqtt.passwordFile = "/etc/metafleet/secrets/mqtt"
    mqtt.base = "a/b"
    mqtt.clientID = "mine"
    mqtt.protocolChoice = .mqtt311
    mqtt.keepalive = .seconds(60)
    mqtt.connectTimeout = .seconds(5)
    #expect(configuration.mqtt == mqtt)

    #expect(configuration.storage.directory == "/etc/metafleet/state")
    #expect(configuration.storage.minimumFree == 1 << 30)
    #expect(configuration.storage.outboxMaximumSize == 5_000_000)
    #expect(configuration.storage.outboxMaximumAge == .seconds(86_400))
    #expect(configuration.storage.drainPerSecond == 7)
    #expect(configuration.storage.replay == .seconds(5_400))
    #expect(configuration.storage.retain == .seconds(2 * 86_400))
    #expect(configuration.storage.maximumSize == 3_000_000)
    #expect(configuration.lanes.liveRate == 0.5)
    #expect(configuration.lanes.maximumSamples == 25)
    #expect(configuration.lanes.maximumSpan == .milliseconds(100))
    #expect(configuration.bluetooth.adapters?.map(\.description) == ["001a7dda7113"])
    #expect(configuration.bluetooth.maximumLinksPerAdapter == 5)
    #expect(configuration.bluetooth.connectTimeout == .seconds(60))
    #expect(configuration.schedules.battery == .any([.daily(minute: 180), .weekly(weekday: 6, minute: 270)]))
    #expect(configuration.admission.mode == .window)
    #expect(configuration.admission.window == .seconds(300))
    #expect(configuration.admission.profile == "p")
    #expect(configuration.commands.queuePerBoard == 3)
    #expect(configuration.commands.queuePerAdapter == 9)
    #expect(configuration.commands.perMinute == 27)
    #expect(configuration.log.level == .debug)
    #expect(configuration.log.format == .json)

    let profile = configuration.profiles["p"]
    #expect(profile?.streams["acceleration"]?.configuration["rate_hz"] == 50)
    #expect(profile?.button == false)
    #expect(profile?.link == .hold)
    #expect(profile?.availabilityWindow == .seconds(90))

    let board = configuration.boards.first
    #expect(board?.board.description == "e5a1c2d3f4b6")
    #expect(board?.name == "Pump 3")
    #expect(board?.site == "roof")
    #expect(board?.profile == "p")
    #expect(board?.groups == ["east"])
    #expect(board?.labels == ["room": "3.10"])
    #expect(board?.adapter == AdapterID("001a7dda7113"))
    #expect(board?.isEnabled == false)
  }

  @Test func `no value of a complete file is the default, so that no target is forgotten`() {
    // A key that is added to the model and not to the schema keeps its default here.
    let all = FleetConfiguration()
    let declared = ConfigurationKeys.file.map(\.name)
    let children = [Mirror(reflecting: all), Mirror(reflecting: all.consumers)].flatMap(\.children)
    for child in children where !["hash", "timeZone", "consumers"].contains(child.label) {
      #expect(declared.contains(child.label?.lowercased() ?? ""), "\(child.label ?? "")")
    }
  }

  @Test(
    arguments: [
      ("mqqt: {}", "1:1 error mqqt: the file has no key \"mqqt\"; did you mean mqtt?"),
      ("mqtt:\n  prot: 3", "2:3 error mqtt.prot: mqtt has no key \"prot\"; did you mean port?"),
      (
        "mqtt:\n  port: no",
        "2:9 error mqtt.port: mqtt.port must be a whole number from 1 to 65535, not \"no\""
      ),
      (
        "mqtt:\n  port: 70000",
        "2:9 error mqtt.port: mqtt.port must be a whole number from 1 to 65535, not \"70000\""
      ),
      ("mqtt: 5", "1:7 error mqtt: mqtt must be a mapping of keys to values, not \"5\""),
      ("- a", "1:1 error : the file must be a mapping of keys to values, not a list"),
      (
        "mqtt: { keepalive: 20 }",
        "1:20 error mqtt.keepalive: mqtt.keepalive must be a duration from 5s to 18h12m15s, not \"20\"; it has no unit: write 20s for seconds; units are ms s m h d w"
      ),
      (
        "storage: { min_free: 200 }",
        "1:22 error storage.min_free: storage.min_free must be a size such as 200MB or 1GiB, not \"200\"; it has no unit: units are B kB MB GB TB and KiB MiB GiB TiB"
      ),
      (
        "log: { level: infos }",
        "1:15 error log.level: log.level must be one of error, warning, info, debug, not \"infos\"; did you mean info?"
      ),
      (
        "gateway: { id: Floor 3 }",
        "1:16 error gateway.id: gateway.id must be lower-case letters, digits, _ and -, at most 32, starting with a letter or digit, not \"Floor 3\""
      ),
      (
        "mqtt: { base: /a }",
        "1:15 error mqtt.base: mqtt.base must be 1 to 4 levels of letters, digits, _ and -, separated by single slashes, not \"/a\""
      ),
      (
        "gateway: { site: !!str hq }",
        "1:18 error gateway.site: gateway.site must be text of 1 to 64 characters, not a value with the tag \"tag:yaml.org,2002:str\""
      ),
      (
        "admission: { profile: x }",
        "1:23 error admission.profile: admission.profile names the profile \"x\", which is not in the file; there are none"
      ),
    ])
  func `what is wrong is named with its place and what to do`(_ text: String, _ expected: String) {
    #expect(problems(text) == [expected])
  }

  @Test func `all problems are listed, in the order of the file`() {
    let found = problems(
      """
      mqtt: { port: x, hots: y }
      lanes: { live: { rate_hz: 51 } }
      mqtt: { port: 1 }
      boards: [{ name: a }]
      """)
    let places = found.map { (problem: String) -> String in
      "\(problem.prefix { $0 != ":" }):\(problem.split(separator: " ")[2])"
    }
    #expect(
      places == ["1:mqtt.port:", "1:mqtt.hots:", "2:lanes.live.rate_hz:", "3:mqtt:", "4:boards[0].address:"])
  }

  @Test func `the hash tells files apart`() {
    let hash = read("gateway: { site: a }").configuration.hash
    #expect(hash.count == 16)
    #expect(hash == read("gateway: { site: a }").configuration.hash)
    #expect(hash != read("gateway: { site: b }").configuration.hash)
  }

  @Test(
    arguments: [
      ("Floor-3.example.org", "floor-3"), ("-x_y", "x_y"), ("", "gateway"), ("...", "gateway"),
      ("Ärger", "rger"),
      (String(repeating: "a", count: 40), String(repeating: "a", count: 32)),
    ])
  func `a host name is made to fit`(_ host: String, _ expected: String) {
    #expect(GatewayName.fitting(host) == expected)
  }
}
