import FleetModel
import Testing

@testable import Mosquitto

@Suite struct HandshakeReportTests {
  private static let now = Timestamp(milliseconds: 1_763_671_234_567)
  private static let other = Timestamp(milliseconds: 1_600_000_000_000)

  private static func sentence(
    _ outcome: HandshakeReport.Outcome, _ codes: [Int] = [], depth: Int = 0,
    tls: TLSFiles? = TLSFiles(authorities: "/ca.pem")
  ) -> String? {
    var report = HandshakeReport(outcome: outcome)
    report.faults = codes.map { .init(code: $0, depth: depth, from: Self.other, until: Self.other) }
    (report.names, report.issuer, report.time) = (["broker.example", "10.0.0.7"], "Our authority", Self.now)
    return report.sentence(
      MosquittoConfiguration(host: "10.0.0.8", port: 1884, tls: tls, clientID: "metafleet-x"))
  }

  private static let causes: [(HandshakeReport.Outcome, [Int], TLSFiles?, [String])] = [
    (
      .agreed, [10], TLSFiles(),
      ["certificate expired on 2020-09-13T12:26Z", "clock says 2025-11-20T20:40Z", "renew it at the broker"]
    ),
    (
      .agreed, [9], TLSFiles(),
      ["valid from 2020-09-13T12:26Z on", "clock says 2025-11-20T20:40Z", "set the clock"]
    ),
    (
      .agreed, [64], TLSFiles(), ["for broker.example, 10.0.0.7 and not for 10.0.0.8", "set mqtt.host"]
    ),
    (
      .agreed, [19], TLSFiles(authorities: "/ca.pem"),
      ["the authority \"Our authority\", which is not one of /ca.pem", "mqtt.tls.ca"]
    ),
    (.plain, [], TLSFiles(), ["does not speak TLS on port 1884", "8883"]),
    (.agreed, [10], nil, ["speaks TLS on this port", "set mqtt.tls"]),
  ]

  @Test func `F255 six causes are six sentences, each with what to do`() {
    let sentences = Self.causes.compactMap { outcome, codes, tls, _ in
      Self.sentence(outcome, codes, tls: tls)
    }
    #expect(Set(sentences).count == 6)
    for (sentence, cause) in zip(sentences, Self.causes) {
      for words in cause.3 { #expect(sentence.contains(words), "\(sentence)") }
    }
  }

  @Test func `F255 of several causes all are said, each once, and whose certificate it is`() throws {
    let sentence = try #require(Self.sentence(.agreed, [62, 20, 21, 10]))
    #expect(sentence.split(separator: "; and ").count == 3, "\(sentence)")
    let above = try #require(Self.sentence(.agreed, [10], depth: 1))
    #expect(above.hasPrefix("the certificate of an authority of the broker expired"))
  }

  private static let alerts: [(Int, TLSFiles, String?)] = [
    (116, TLSFiles(), "requires a client certificate"), (40, TLSFiles(), "requires a client certificate"),
    (80, TLSFiles(), nil), (45, TLSFiles(certificate: "/c", key: "/k"), "our certificate /c: it has expired"),
    (
      48, TLSFiles(certificate: "/c", key: "/k"), "does not know the authority that signed our certificate /c"
    ),
    (44, TLSFiles(certificate: "/c", key: "/k"), "is revoked"),
    (42, TLSFiles(certificate: "/c", key: "/k"), "refuses our certificate /c"),
    (80, TLSFiles(certificate: "/c", key: "/k"), nil),
  ]

  @Test(arguments: alerts)
  func `F255 what the broker has against our certificate is said`(alert: Int, tls: TLSFiles, words: String?) {
    let sentence = Self.sentence(.alert(alert), tls: tls)
    #expect(words.map { sentence?.contains($0) == true } ?? (sentence == nil), "\(sentence ?? "nothing")")
  }

  @Test func `where nothing better is known the first words stay`() {
    #expect(Self.sentence(.agreed) == nil && Self.sentence(.unclear) == nil)
    #expect(Self.sentence(.unclear, tls: nil) == nil && Self.sentence(.hungUp, tls: nil) == nil)
    #expect(Self.sentence(.plain, tls: nil) == nil)
  }
}
