import Testing

@testable import FleetModel

@Suite struct BrokerAddressTests {
  private static let written: [(String, String, Int?, Bool?)] = [
    ("broker", "broker", nil, nil), (" broker\t", "broker", nil, nil),
    ("broker.example.", "broker.example.", nil, nil),
    ("broker:1884", "broker", 1884, nil), ("10.0.0.7:1", "10.0.0.7", 1, nil), ("::1", "::1", nil, nil),
    ("[::1]", "::1", nil, nil), ("[::1]:65535", "::1", 65_535, nil),
    ("fe80::1%eth0", "fe80::1%eth0", nil, nil),
    ("mqtt://broker", "broker", nil, false), ("MQTT://broker/", "broker", nil, false),
    ("tcp://broker:1883", "broker", 1883, false), ("mqtts://[fe80::1]:8884", "fe80::1", 8884, true),
    ("ssl://broker", "broker", nil, true),
  ]

  @Test(arguments: written)
  func `F253 a broker is found as people write it`(text: String, host: String, port: Int?, isSecure: Bool?)
    throws
  {
    let address = try BrokerAddress(text)
    #expect(address.host == host && address.port == port && address.isSecure == isSecure)
  }

  private static let refused = [
    ("", "empty"), ("  ", "empty"), ("mqtt://", "empty"), (":1883", "empty"), ("bro ker", "without blanks"),
    ("ws://broker:80", "write \"broker\""), ("https://broker", "over TCP"),
    ("mqtt://broker/x", "without a path: write \"broker\""), ("broker/x", "without a path"),
    ("mqtt://me:secret@broker", "mqtt.username: write \"broker\""), ("broker:", "a number"),
    ("me@broker:1884", "write \"broker:1884\""), ("mqtt://broker:1884/x", "write \"broker:1884\""),
    ("mqtt://me@[fe80::1]:1884", "write \"[fe80::1]:1884\""),
    ("broker:0", "a number"), ("broker:65536", "a number"), ("broker:+1", "a number"),
    ("broker:mqtt", "mqtt.port"),
    ("[::1", "bracket"), ("[::1]1883", "a number"),
  ]

  @Test(arguments: refused)
  func `F253 what is not certain is refused with what to write`(text: String, words: String) {
    let fault = #expect(throws: BrokerAddress.Fault.self) { try BrokerAddress(text) }
    #expect(fault?.text.contains(words) == true, "\(fault?.text ?? "")")
    #expect(fault?.text.contains("secret") == false)
  }
}
