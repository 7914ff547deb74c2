import Dialects
import Testing

@testable import Mosquitto

@Suite struct BrokerFailureTLSTests {
  @Test(arguments: [
    ("Error: host name verification failed.", "another host name; set mqtt.host"),
    ("OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed", "is not trusted"),
    (
      "OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number", "does not speak TLS on this port"
    ),
    ("OpenSSL Error[0]: error:0A000126:SSL routines::unexpected eof while reading", "port for TLS is 8883"),
    (
      "OpenSSL Error[0]: error:0A00045C:SSL routines::tlsv13 alert certificate required",
      "set mqtt.tls.certificate"
    ),
    (
      "OpenSSL Error[0]: error:0A00042E:SSL routines::tlsv1 alert protocol version",
      "no TLS version from 1.2 on"
    ),
  ])
  func `OpenSSL's line is said as cause and remedy`(detail: String, words: String) {
    #expect(BrokerFailure.tlsCause(detail).contains(words))
  }

  @Test(arguments: [
    ("OpenSSL Error[0]: error:0A0000C1:SSL routines::no shared cipher", "no shared cipher"),
    ("certificate expired", "certificate expired"), ("", ""),
  ])
  func `other lines keep their words, without numbers`(detail: String, words: String) {
    #expect(BrokerFailure.tlsCause(detail) == words)
  }
}
