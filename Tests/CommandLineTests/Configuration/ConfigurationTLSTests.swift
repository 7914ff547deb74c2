import FleetModel
import Testing

@testable import metafleet

@Suite struct ConfigurationTLSTests {
  @Test(
    arguments: [
      (
        "mqtt: { tls: yes }",
        "1:14 error mqtt.tls: mqtt.tls must be true, false, or a mapping with ca, certificate, key, not \"yes\""
      ),
      (
        "mqtt: { tls: { certificate: a } }",
        "1:14 error mqtt.tls: mqtt.tls needs both certificate and key, or neither"
      ),
    ])
  func `what is wrong is named`(_ text: String, _ expected: String) {
    #expect(problems(text) == [expected])
  }

  @Test(
    arguments: [
      ("true", TLSConfiguration()), ("false", nil), ("{}", TLSConfiguration()), ("", TLSConfiguration()),
      ("{ ca: /a }", TLSConfiguration(authority: "/a")),
    ] as [(String, TLSConfiguration?)])
  func `the system's authorities, nothing, or files`(_ text: String, _ expected: TLSConfiguration?) {
    let result = read("mqtt: { tls: \(text) }")
    #expect(result.problems == [])
    #expect(result.configuration.mqtt.tls == expected)
  }
}
