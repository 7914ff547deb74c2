import Dialects
import FleetModel
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
      try await connect(authority.mosquittoOptions, host: "127.0.0.1", tls), "is for another host name")
  }

  @Test func `F61 an unknown authority is refused, and the system's do not know ours`() async throws {
    let other = try TestAuthority()
    for authorities in [other.file("authority.pem"), nil] {
      expectInsecure(
        try await connect(authority.mosquittoOptions, TLSFiles(authorities: authorities)), "is not trusted")
    }
  }

  @Test func `F101 a file that cannot be read is named`() async throws {
    let tls = TLSFiles(authorities: "/nowhere/authority.pem")
    expectInsecure(try await connect(authority.mosquittoOptions, tls), "/nowhere/authority.pem")
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
