import Testing

@testable import FleetModel

/// Values of the file become a configuration, and a configuration the same values again.
@Suite struct ConfigurationReadingTests {
  private static let file: JSONValue = [
    "gateway": ["id": "floor-3", "site": "hq", "timezone": "Europe/Berlin"],
    "mqtt": [
      "host": "broker", "port": 8884, "tls": ["ca": "/ca.pem"], "username": "me", "password_file": "/secret",
      "base": "a/b", "client_id": "mine", "protocol": "3.1.1", "keepalive": "1m", "connect_timeout": "5s",
    ],
    "storage": [
      "directory": "/data", "min_free": "1GB", "replay": "1h", "retain": "2d", "max_size": "3MB",
      "outbox": ["max_size": "5MB", "max_age": "1d", "drain_per_s": 7],
      "history": ["max_events": 500, "max_age": "3d"],
      "streams": [
        "keep": "7d", "max_size": "9MB", "only": ["acceleration"], "boards": ["e5a1c2d3f4b6"],
      ],
    ],
    "lanes": ["live": ["rate_hz": 0.5], "record": ["max_samples": 25, "max_span": "100ms"]],
    "bluetooth": [
      "adapters": ["001a7dda7113"], "max_links_per_adapter": 5, "connect_timeout": "1m", "quiet_ok": true,
    ],
    "schedules": ["battery": ["daily 03:05", "weekly sun 04:30"], "clock": "never"],
    "admission": [
      "mode": "window", "window": "5m", "profile": "p", "max_boards": 7, "min_rssi_dbm": -70, "per_min": 3,
      "expiry": "never",
    ],
    "commands": [
      "queue_per_board": 3, "queue_per_adapter": 9, "per_min": 27, "response_topics": ["answers", "me/too"],
      "allow": [["verbs": ["led"], "groups": ["east"], "boards": ["*"]], ["boards": ["*"]]],
    ],
    "firmware": [
      "index": "/mirror", "directory": "/kept", "ca": "/ca.pem", "trust": "lock", "retries": 5, "receipts": 4,
    ],
    "http": [
      "listen": "unix:/run/metafleet.sock", "socket_mode": "0666", "hosts": ["gateway.example.com"],
      "read": "open", "token_file": "/token", "commands": ["led", "*"],
    ],
    "log": ["level": "debug", "format": "json"],
    "profiles": [
      "p": [
        "stream": ["acceleration": ["rate_hz": 100]], "log": ["temperature-die": [:]],
        "logging": ["circular": true],
        "process": ["calm": ["from": "acceleration", "chain": ["rms"], "to": []]],
        "timers": ["minute": ["period_ms": 60_000]],
        "events": [
          "hello": ["source": "timer:minute", "action": ["verb": "haptic", "args": ["pulse_ms": 9]]]
        ],
        "settings": ["tx_dbm": 4], "button": false, "link": "hold",
        "visit": [
          "every": ["daily 08:30", "6h"], "jitter": "5%", "download": false, "clear": "never",
          "foreign": true,
          "hours": ["08:00-12:00", "22:00-06:00"],
        ], "availability_window": "90s",
      ]
    ],
    "boards": [
      [
        "address": "e5a1c2d3f4b6", "name": "Pump 3", "site": "roof", "profile": "p", "groups": ["east"],
        "labels": ["room": "3.10"], "serial": "055B9E", "adapter": "001a7dda7113", "enabled": false,
      ]
    ],
  ]

  @Test func `a configuration is read and written alike`() {
    let read = ConfigurationReading(Self.file, over: FleetConfiguration())
    #expect(read.faults == [])
    let again = ConfigurationReading(.object(read.configuration.document), over: FleetConfiguration())
    #expect(again.faults == [])
    #expect(again.configuration == read.configuration)
    #expect(read.configuration.profiles["p"] != Profile() && read.configuration.boards.count == 1)
  }

  @Test func `every key that is declared is one that the values write, so that none is forgotten`() {
    let document = ConfigurationReading(Self.file, over: FleetConfiguration()).configuration.document
    for (path, key) in ConfigurationKeys.leaves
    where key.file?.isInEffect == true && !path.hasSuffix(".extends") {
      let steps = path.replacing("<name>", with: "p").replacing("[]", with: ".0").split(separator: ".")
      let value = steps.reduce(JSONValue?.some(.object(document))) { value, step in
        Int(step).map { value?.array?[$0] } ?? value?.object?[String(step)]
      }
      #expect(value != nil, "\(path)")
    }
  }

  @Test func `nothing is all defaults`() {
    let read = ConfigurationReading(.object([:]), over: FleetConfiguration())
    #expect(read.faults == [] && read.configuration == FleetConfiguration())
  }

  @Test(
    arguments: [
      (["admission": ["profile": "x"]], "admission.profile", "names the profile \"x\""),
      (
        ["boards": [["address": "e5a1c2d3f4b6", "groups": ["a", "all"]]]], "boards[0].groups[1]",
        "leave it out"
      ),
      (["mqtt": ["tls": ["key": "/k"]]], "mqtt.tls", "needs both certificate and key"),
      (["http": ["commands": ["led"]]], "http.commands", "needs http.token_file"),
      (
        ["http": ["commands": ["*"], "listen": "0.0.0.0:80", "read": "open"]], "http.commands", "name a file"
      ),
      (["mqtt": ["host": "mqtt://broker:1883/x"]], "mqtt.host", "write \"broker:1883\""),
      (
        ["mqtt": ["host": "broker:1883", "port": 1884]], "mqtt.host", "says the port 1883 and mqtt.port 1884"
      ),
      (["mqtt": ["host": "mqtts://broker"]], "mqtt.host", "write host: \"broker\" and tls: true"),
      (["mqtt": ["host": "mqtts://broker:8884"]], "mqtt.host", "write host: \"broker:8884\" and tls: true"),
      (
        ["mqtt": ["host": "mqtt://broker", "tls": true]], "mqtt.host", "asks for no TLS, and mqtt.tls is set"
      ),
      (
        ["boards": [["address": "e5a1c2d3f4b6", "name": "A"], ["address": "e5a1c2d3f4b7", "name": "A"]]],
        "boards[1].name", "boards[0] has the name \"A\""
      ),
    ] as [(JSONValue, String, String)])
  func `what is said in one place is held against what is said in others`(
    file: JSONValue, path: String, words: String
  ) {
    let faults = ConfigurationReading(file, over: FleetConfiguration()).faults
    #expect(faults.map(\.path) == [path])
    #expect(faults.first?.text.contains(words) == true && faults.first?.severity == .error)
  }

  @Test(
    arguments: [
      (["mqtt": ["tls": true, "port": 1883]], "mqtt.port", "8883"),
      (["mqtt": ["host": "broker", "password_file": "/p"]], "mqtt.password_file", "unencrypted"),
      (["http": ["listen": "0.0.0.0:9464"]], "http.listen", "from other computers"),
      (["mqtt": ["username": "me "]], "mqtt.username", "ends with a blank"),
      (["mqtt": ["username": "$BROKER_USER"]], "mqtt.username", "not replaced"),
      (["gateway": ["site": "${SITE}"]], "gateway.site", "not replaced"),
      (["admission": ["mode": "open"]], "admission.mode", "set max_boards and min_rssi_dbm"),
      (["admission": ["mode": "open", "max_boards": 5]], "admission.mode", "within max_boards"),
      (
        ["boards": [["address": "e5a1c2d3f4b6"], ["address": "e5a1c2d3f4b7", "name": "e5a1c2d3f4b6"]]],
        "boards[1].name", "reach that board"
      ),
      (
        [
          "boards": [
            ["address": "e5a1c2d3f4b6", "name": "Fan"], ["address": "e5a1c2d3f4b7", "name": "fan"],
          ]
        ],
        "boards[1].name", "boards[0] has the same name but for capital letters"
      ),
      (
        ["boards": [["address": "e5a1c2d3f4b6", "name": "Pumps", "groups": ["pumps"]]]], "boards[0].name",
        "is the name of a group, too"
      ),
      (["boards": [["address": "e5a1c2d3f4b6", "name": "All"]]], "boards[0].name", "must say group:all"),
      (
        ["boards": [["address": "e5a1c2d3f4b6"], ["address": "e5a1c2d3f4b7", "groups": ["e5a1c2d3f4b6"]]]],
        "boards[1].groups[0]", "is called like the address of boards[0]"
      ),
      (
        ["profiles": ["p": [:]], "boards": [["address": "e5a1c2d3f4b6"]]], "profiles.p",
        "is used by no board of the file"
      ),
      (
        ["profiles": ["p": ["stream": ["acceleration": [:]], "visit": ["every": "1h"]]]],
        "profiles.p.visit.every", "has no effect"
      ),
      (
        ["profiles": ["p": ["link": "hold", "visit": ["every": "1h"]]]], "profiles.p.visit.every",
        "has no effect"
      ),
      (
        [
          "profiles": [
            "p": ["link": "visit", "visit": ["every": ["6h", "daily 03:00"], "hours": "08:00-18:00"]]
          ]
        ], "profiles.p.visit.every", "03:00 lies outside visit.hours"
      ),
    ] as [(JSONValue, String, String)])
  func `what is perhaps not meant is warned of`(file: JSONValue, path: String, words: String) {
    let faults = ConfigurationReading(file, over: FleetConfiguration()).faults
    #expect(faults.map(\.path) == [path] && faults.first?.severity == .warning)
    #expect(faults.first?.text.contains(words) == true, "\(faults.map(\.text))")
  }

  @Test(
    arguments: [
      ["mqtt": ["host": "broker", "password_file": "/p", "tls": false]],
      ["mqtt": ["host": "127.0.0.1", "password_file": "/p"]],
      ["mqtt": ["host": "::1", "password_file": "/p"]],
      ["mqtt": ["host": "mqtt://[::1]:1884", "port": 1884]],
      ["mqtt": ["host": "mqtts://broker", "tls": true]],
      ["mqtt": ["host": "fe80::1", "tls": true, "port": 8883]], ["gateway": ["site": "at $50 a day"]],
      ["admission": ["mode": "window"]],
      ["boards": [["address": "e5a1c2d3f4b6", "name": "e5a1c2d3f4b6"]]],
      // Used by a board, by another profile, by boards that join; by whoever admits boards at run time.
      [
        "profiles": ["a": [:], "b": ["extends": "a"], "c": [:]], "admission": ["profile": "c"],
        "boards": [["address": "e5a1c2d3f4b6", "profile": "b"]],
      ],
      ["profiles": ["p": [:]]],
      ["profiles": ["p": ["stream": ["temperature-die": ["every": "5m"]], "visit": ["every": "1h"]]]],
      [
        "profiles": [
          "p": [
            "stream": ["acceleration": [:]], "log": ["temperature-die": [:]], "visit": ["every": "1h"],
          ]
        ]
      ],
    ] as [JSONValue])
  func `what is meant is not`(file: JSONValue) {
    #expect(ConfigurationReading(file, over: FleetConfiguration()).faults == [])
  }
}
