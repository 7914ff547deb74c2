import FleetModel
import Testing

@testable import metafleet

@Suite struct YAMLDocumentTests {
  @Test(
    arguments: [
      (
        "mqtt:\n  host: a\n  host: b\n",
        ["3:3 error mqtt.host: \"host\" is defined twice, first on line 2; remove one"]
      ),
      (
        "mqtt: { \"host\": a, 'host': b, host: c }",
        [
          "1:20 error mqtt.host: \"host\" is defined twice, first on line 1; remove one",
          "1:31 error mqtt.host: \"host\" is defined twice, first on line 1; remove one",
        ]
      ),
      (
        "# ä\r\nlog: {}\r\nlog: {}\r\nmqtt: {}\r\nmqtt: {}\r\n",
        [
          "3:1 error log: \"log\" is defined twice, first on line 2; remove one",
          "5:1 error mqtt: \"mqtt\" is defined twice, first on line 4; remove one",
        ]
      ),
    ])
  func `duplicate keys are all found, with the place of the second`(_ text: String, _ expected: [String]) {
    #expect(problems(text) == expected)
  }

  @Test(arguments: [
    "mqtt: [", "a: b: c", "\tmqtt: {}", "mqtt: *nobody", "mqtt: \"a", "a: \u{1}", "--- a\n--- b",
  ])
  func `what is not YAML is one problem with a place`(_ text: String) {
    let problems = read(text).problems
    #expect(problems.count == 1)
    #expect(problems.first?.severity == .error)
    #expect(problems.first?.line != nil)
  }

  @Test(arguments: [("\tmqtt: {}", 1), ("mqtt:\n\thost: a", 2), ("mqtt:\n  \thost: a\nlog: {}", 2)])
  func `a tab before a key is named`(_ text: String, _ line: Int) {
    #expect(problems(text) == ["\(line):1 error : line \(line) is indented with a tab; use spaces"])
  }

  private static let merges = [
    "<<: *a\n    button: false", "button: false\n    <<: *a", "<<: [*a]\n    button: false",
    "<<: [{ button: false }, *a]",
  ]

  @Test(arguments: merges)
  func `F253 a merge key takes in what is not said here`(_ text: String) {
    let result = read("profiles:\n  a: &a { button: true, link: hold }\n  b:\n    \(text)\n")
    #expect(result.problems.filter { $0.severity == .error } == [])
    let profiles = result.configuration.profiles
    #expect(profiles["b"]?.button == false && profiles["b"]?.link == profiles["a"]?.link)
    #expect(profiles["a"]?.button == true && profiles["a"]?.link == .hold)
  }

  @Test(arguments: ["<<: a", "<<: [a]", "<<:"])
  func `F253 a merge key without a mapping is a key that nobody has`(_ text: String) {
    #expect(problems("mqtt:\n  \(text)\n").count == 1)
  }

  @Test(arguments: [
    "\u{FEFF}mqtt: { host: there }\r\n", "\u{FEFF}mqtt:\r\n  host: there\r\ngateway: { id: gw }\r\n",
    "\u{FEFF}gateway: { id: gw }\nmqtt: { host: there }\n", "mqtt:\r\n  host:   there  \r\n",
    "mqtt: {host: there}",
  ])
  func `F253 a byte order mark, other ends of lines and blanks around values mean nothing`(_ text: String) {
    #expect(read(text).problems.isEmpty && read(text).configuration.mqtt.host == "there")
  }

  @Test(arguments: ["010", "12:34:56", "no", "1e3", "0x10", "1_000", ".5", "2026-11-27"])
  func `F253 a user or a client id is taken as it is written, whatever it looks like`(_ text: String) {
    let result = read("mqtt: { username: \(text), client_id: \(text) }")
    #expect(result.problems.isEmpty)
    #expect(result.configuration.mqtt.username == text && result.configuration.mqtt.clientID == text)
  }

  @Test func `aliases that multiply do not take the machine down`() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let again = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(again)]\n"
    }
    #expect(problems(text) == ["1:1 error : the file is too large; use fewer aliases"])
  }
}
