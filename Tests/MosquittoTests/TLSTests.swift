import Dialects
import FleetModel
import Glibc
import Mosquitto
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct TLSTests {
  private let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  private func connect(
    _ options: MosquittoProcess.Options, host: String = "localhost", _ tls: TLSFiles
  ) async throws -> BrokerFailure? {
    var failure: BrokerFailure?
    try await MosquittoProcess.with(options) { mosquitto in
      try await TestClient.with(port: mosquitto.port, { ($0.host, $0.tls) = (host, tls) }) { client in
        do throws(BrokerFailure) {
          try await client.connect()
          #expect(await client.publish(MQTTMessage("a")) == [Acknowledgement(token: 0, failure: nil)])
        } catch {
          failure = error
        }
      }
    }
    return failure
  }

  private func expectInsecure(_ failure: BrokerFailure?, _ words: String) {
    guard case .insecure(let text) = failure else { return #expect(failure == .insecure(words)) }
    #expect(text.contains(words))
  }

  @Test func `a broker with a certificate for its name is trusted`() async throws {
    let tls = TLSFiles(authorities: authority.file("authority.pem"))
    #expect(try await connect(authority.mosquittoOptions, tls) == nil)
  }

  @Test func `F74 when the broker's certificate expires is known while it is connected`() async throws {
    try await MosquittoProcess.with(authority.mosquittoOptions) { mosquitto in
      let tls = TLSFiles(authorities: authority.file("authority.pem"))
      try await TestClient.with(port: mosquitto.port, { ($0.host, $0.tls) = ("localhost", tls) }) { client in
        // Made a moment ago, for two days.
        let expires = try #require(try await client.connect().certificateExpires)
        let now = Timestamp(milliseconds: Int64(time(nil)) * 1_000)
        #expect(expires > now && expires < now + .seconds(3 * 86_400))
      }
    }
  }

  @Test func `our own certificate lets us in where one is asked for`() async throws {
    var options = authority.mosquittoOptions
    options.lines = ["require_certificate true"]
    var tls = TLSFiles(authorities: authority.file("authority.pem"))
    #expect(try await connect(options, tls) != nil)
    (tls.certificate, tls.key) = (authority.file("gateway.pem"), authority.file("gateway.key"))
    #expect(try await connect(options, tls) == nil)
  }

  @Test func `F61 a certificate for another name is refused`() async throws {
    let tls = TLSFiles(authorities: authority.file("authority.pem"))
    expectInsecure(
      try await connect(authority.mosquittoOptions, host: "127.0.0.1", tls),
      "is for localhost and not for 127.0.0.1")
  }

  @Test func `F61 an unknown authority is refused, and the system's do not know ours`() async throws {
    let other = try TestAuthority()
    for authorities in [other.file("authority.pem"), nil] {
      expectInsecure(
        try await connect(authority.mosquittoOptions, TLSFiles(authorities: authorities)),
        "\"Test authority\", which is not one of \(authorities ?? "the system's")")
    }
  }

  @Test(arguments: [
    ("broker-expired.pem", "expired on 2020-02-01"), ("broker-early.pem", "valid from 2200-01-01"),
  ])
  func `F255 a certificate that is not valid now says since when, or until when`(
    certificate: String, words: String
  ) async throws {
    let tls = TLSFiles(authorities: authority.file("authority.pem"))
    expectInsecure(try await connect(authority.mosquittoOptions(showing: certificate), tls), words)
  }

  @Test(arguments: [("gateway-expired.pem", "it has expired"), ("broker.pem", nil)])
  func `F255 what the broker has against our certificate is said`(certificate: String, words: String?)
    async throws
  {
    var options = authority.mosquittoOptions
    options.lines = ["require_certificate true"]
    let key = certificate == "broker.pem" ? "broker.key" : "gateway.key"
    let failure = try await connect(
      options,
      TLSFiles(
        authorities: authority.file("authority.pem"), certificate: authority.file(certificate),
        key: authority.file(key)))
    if let words { expectInsecure(failure, words) } else { #expect(failure == nil) }
  }

  @Test func `F255 a client certificate of an authority that the broker does not know is said`() async throws
  {
    let other = try TestAuthority()
    var options = authority.mosquittoOptions
    options.lines = ["require_certificate true"]
    let tls = TLSFiles(
      authorities: authority.file("authority.pem"), certificate: other.file("gateway.pem"),
      key: other.file("gateway.key"))
    expectInsecure(try await connect(options, tls), "does not know the authority that signed our certificate")
  }

  @Test func `F255 a port without TLS that is spoken to with it, and the reverse`() async throws {
    try await MosquittoProcess.with { mosquitto in
      let tls = TLSFiles(authorities: authority.file("authority.pem"))
      try await TestClient.with(port: mosquitto.port, { $0.tls = tls }) { client in
        let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
        expectInsecure(failure, "the usual port for TLS is 8883")
      }
    }
    try await MosquittoProcess.with(authority.mosquittoOptions) { mosquitto in
      try await TestClient.with(port: mosquitto.port) { client in
        let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
        expectInsecure(failure, "the broker speaks TLS on this port; set mqtt.tls")
      }
    }
  }

  @Test func `F254 a key that belongs to another certificate is noticed`() {
    func files(_ key: String) -> TLSFiles {
      TLSFiles(certificate: authority.file("gateway.pem"), key: authority.file(key))
    }
    #expect(files("gateway.key").areMatching && TLSFiles().areMatching)
    #expect(!files("broker.key").areMatching && !files("no.key").areMatching)
    #expect(!TLSFiles(certificate: authority.file("gateway.pem")).areMatching)
  }

  @Test func `F101 a file that cannot be read is named`() async throws {
    let tls = TLSFiles(authorities: "/nowhere/authority.pem")
    let failure = try await connect(authority.mosquittoOptions, tls)
    expectInsecure(failure, "/nowhere/authority.pem cannot be read")
  }

  @Test func `a certificate without its key is refused`() async throws {
    let tls = TLSFiles(
      authorities: authority.file("authority.pem"), certificate: authority.file("gateway.pem"))
    expectInsecure(try await connect(authority.mosquittoOptions, tls), "key")
  }

  @Test(arguments: [ScriptedListener.Script.hangUp, .reset])
  func `F61 a peer that hangs up in the handshake is noticed at once`(script: ScriptedListener.Script)
    async throws
  {
    let listener = try ScriptedListener(script)
    let tls = TLSFiles(authorities: authority.file("authority.pem"))
    try await TestClient.with(port: listener.port, { $0.tls = tls }) { client in
      let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
      // Not the time-out, which comes much later and says "unreachable".
      switch failure {
      case .connectionLost, .insecure: break
      default: #expect(failure == .connectionLost(""))
      }
    }
  }

  @Test func `F61 a peer that speaks no TLS is refused`() async throws {
    let listener = try ScriptedListener(.answer([0x20, 0x03, 0, 0, 0]))
    let tls = TLSFiles(authorities: authority.file("authority.pem"))
    try await TestClient.with(port: listener.port, { $0.tls = tls }) { client in
      let failure = await #expect(throws: BrokerFailure.self) { try await client.connect() }
      guard case .insecure = failure else { return #expect(failure == .insecure("")) }
    }
  }
}
