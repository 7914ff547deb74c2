import FleetModel
import Testing

@testable import metafleet

@Suite struct SetupAnswersTests {
  private let heard = ["c0ffee000001", "c0ffee000002", "c0ffee010002"].compactMap { BoardID($0) }

  private func broker(_ text: String) throws -> UplinkConfiguration {
    try SetupAnswers.broker(text, over: UplinkConfiguration())
  }

  @Test(
    arguments: [
      ("broker.example", "broker.example", nil), ("10.0.0.7:1884", "10.0.0.7", 1884),
      ("mqtt://broker.example/", "broker.example", nil), ("[fe80::1]:1884", "fe80::1", 1884),
      ("fe80::1", "fe80::1", nil),
    ] as [(String, String, Int?)])
  func `a broker is typed in many ways`(_ text: String, _ host: String, _ port: Int?) throws {
    let uplink = try broker(text)
    #expect(uplink.host == host && uplink.port == port && uplink.tls == nil)
  }

  @Test func `mqtts means TLS`() throws {
    #expect(try broker("mqtts://broker.example:8884").tls == TLSConfiguration())
  }

  @Test(arguments: ["", "a b", "host:99999", "host:x", "http://a/b"])
  func `what is no broker is refused`(_ text: String) {
    #expect(throws: CommandLineFailure.self) { try broker(text) }
  }

  @Test func `boards are all, none, numbers or addresses`() throws {
    let list = heard.map { SetupAnswers.Heard(board: $0) }
    #expect(try SetupAnswers.boards("all", of: list) == heard)
    #expect(try SetupAnswers.boards("none", of: list) == [])
    #expect(try SetupAnswers.boards("3, 1 1", of: list) == [heard[2], heard[0]])
    #expect(try SetupAnswers.boards("C0:FF:EE:00:00:02", of: []) == [heard[1]])
    for wrong in ["4", "0", "pump"] {
      #expect(throws: CommandLineFailure.self) { try SetupAnswers.boards(wrong, of: list) }
    }
    #expect(throws: CommandLineFailure.self) { try SetupAnswers.gateway("Floor 3") }
  }

  @Test func `F245 what comes of answers is a right file that says them`() throws {
    var uplink = UplinkConfiguration()
    uplink.host = "broker.example"
    uplink.port = 8884
    uplink.tls = TLSConfiguration(authority: "/ca")
    uplink.username = "gate: way # \"x\""
    uplink.passwordFile = "/p"
    let answers = SetupAnswers(uplink: uplink, gateway: "no", boards: heard)
    let files = FileReferences(directory: "/", credentials: nil) { _ in .readable(isWorldReadable: false) }
    let result = ConfigurationReader.read(answers.text, hostName: "host", files: files)
    #expect(result.problems == [])
    #expect(result.configuration.gateway.id == "no" && result.configuration.mqtt == uplink)
    #expect(result.configuration.boards.map(\.board) == heard)
    #expect(
      result.configuration.boards.map(\.name) == [
        "Board 00:01", "Board C0:FF:EE:00:00:02", "Board C0:FF:EE:01:00:02",
      ])
    let none = SetupAnswers(uplink: UplinkConfiguration(), gateway: "g", boards: [])
    #expect(ConfigurationReader.read(none.text, hostName: "host", files: files).problems == [])
  }
}
