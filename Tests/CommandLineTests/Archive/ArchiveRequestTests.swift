import Testing

@testable import metafleet

@Suite struct ArchiveRequestTests {
  private static func request(_ words: String...) -> ArchiveRequest {
    ArchiveRequest(arguments: words, environment: [:])
  }

  @Test func `a request reads back, with what is said of the terminal and nothing else`() throws {
    let request = ArchiveRequest(
      arguments: ["export", "Pümp \"3\"", "--since", "1d"],
      environment: [
        "TERM": "xterm", "NO_COLOR": "1", "LD_PRELOAD": "/tmp/evil.so", "METAFLEET_CONFIG": "/tmp/x",
      ])
    #expect(request.environment == ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(request.line.last == UInt8(ascii: "\n"))
    #expect(ArchiveRequest(line: request.line) == request)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"arguments":"sessions"}"#, #"{"arguments":["sessions",1]}"#, "sessions\n",
  ])
  func `a line that is no request is none`(line: String) {
    #expect(ArchiveRequest(line: Array(line.utf8)) == nil)
  }

  @Test func `F249 variables that were smuggled in do not count`() throws {
    let line = #"{"arguments":["sessions"],"environment":{"LD_PRELOAD":"/tmp/evil.so","TERM":"xterm"}}"#
    #expect(try #require(ArchiveRequest(line: Array(line.utf8))).environment == ["TERM": "xterm"])
  }

  @Test func `commands that read the archive are run`() {
    #expect(Self.request("sessions").fault == nil)
    #expect(Self.request("sessions", "list", "Pump 3", "--json").fault == nil)
    #expect(Self.request("export", "Pump 3", "--output", "pump3.csv").fault == nil)
    #expect(Self.request("verify").fault == nil)
    #expect(Self.request("audit", "--since", "1d").fault == nil)
    #expect(Self.request("events", "--follow").fault == nil)
  }

  @Test(arguments: [
    [], ["run"], ["sessions", "delete", "--all", "--yes"], ["config", "check"], ["send", "Pump 3", "reset"],
    ["demo"],
    ["export"], ["sessions", "--nonsense"], ["sessions", "--help"], ["doctor"], ["ses\0sions"],
    ["---completion", "events", "--", "--board", "3", "0", "x"], ["--version"], ["--licences"],
  ])
  func `F249 nothing else is`(words: [String]) {
    let request = ArchiveRequest(arguments: words, environment: [:])
    #expect(request.fault?.status == .usage)
    #expect(request.fault?.message.contains("events, audit, sessions, export and verify") == true)
  }

  @Test func `F249 no file but the gateway's is read for somebody`() {
    let fault = Self.request("sessions", "--config", "/etc/shadow").fault
    #expect(fault?.status == .usage && fault?.message.contains("leave --config out") == true)
  }
}
