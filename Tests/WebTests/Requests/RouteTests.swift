import FleetModel
import Testing

@testable import Web

@Suite struct RouteTests {
  private static let session = "01JDB91TAS8N0M2T5V7X9Z1ABC"

  private static func route(_ path: String, _ query: [String: String] = [:]) throws -> Route? {
    try Route(path, query: query)
  }

  @Test func `every path of the contract leads somewhere`() throws {
    let id = try #require(ULID(Self.session))
    let board = try #require(BoardID("e5a1c2d3f4b6"))
    #expect(try Self.route("/") == .file(PageFile.all[0]))
    #expect(try Self.route("/status") == .page(.status))
    #expect(try Self.route("/api/documents") == .page(.documents))
    #expect(try Self.route("/api/command") == .command)
    #expect(try Self.route("/api/stream") == .stream(live: []))
    #expect(try Self.route("/api/stream", ["live": "e5a1c2d3f4b6,e5a1c2d3f4b6"]) == .stream(live: [board]))
    #expect(try Self.route("/api/sessions") == .ask(.sessions(of: nil)))
    #expect(try Self.route("/api/sessions", ["board": "E5A1C2D3F4B6"]) == .ask(.sessions(of: board)))
    #expect(try Self.route("/api/events") == .ask(.events(of: nil, limit: Question.usualEvents)))
    #expect(
      try Self.route("/api/events", ["board": "e5a1c2d3f4b6", "limit": "1000"])
        == .ask(.events(of: board, limit: 1_000)))
    let path = "/api/session/\(Self.session)"
    #expect(try Self.route("\(path)/samples.csv") == .ask(.samples(id, .csv)))
    #expect(try Self.route("\(path)/samples.jsonl") == .ask(.samples(id, .jsonl)))
    #expect(
      try Self.route(
        "\(path)/plot", ["stream": "acceleration", "from_ms": "1", "to_ms": "2", "buckets": "2000"])
        == .ask(
          .plot(
            PlotQuestion(
              id, stream: "acceleration", from: Timestamp(milliseconds: 1), to: Timestamp(milliseconds: 2),
              buckets: 2_000))))
    #expect(
      try Self.route("\(path)/plot", ["stream": "a"])
        == .ask(.plot(PlotQuestion(id, stream: "a", buckets: PlotQuestion.usualBuckets))))
  }

  @Test(arguments: [
    "/api", "/api/session/", "/api/session/x/plot", "/api/session/01JDB91TAS8N0M2T5V7X9Z1ABC",
    "/api/session/01JDB91TAS8N0M2T5V7X9Z1ABC/samples.xml", "/api/session/01JDB91TAS8N0M2T5V7X9Z1ABC/plot/",
    "/api/session/../../etc/passwd", "/index.html", "/../Package.swift",
  ])
  func `no other path does`(path: String) throws {
    #expect(try Self.route(path, ["stream": "a"]) == nil)
  }

  @Test func `what cannot be meant is said`() {
    let path = "/api/session/\(Self.session)/plot"
    let many = (0..<65).map { _ in "e5a1c2d3f4b6" }.joined(separator: ",")
    let wrong: [(String, [String: String])] = [
      (path, [:]), (path, ["stream": ""]), (path, ["stream": "a", "buckets": "0"]),
      (path, ["stream": "a", "buckets": "2001"]), (path, ["stream": "a", "from_ms": "-1"]),
      (path, ["stream": "a", "to_ms": "9999999999999999"]), (path, ["stream": "a", "to_ms": "x"]),
      ("/api/stream", ["live": "pump"]), ("/api/stream", ["live": many]), ("/api/sessions", ["board": "*"]),
      ("/api/events", ["board": "pump"]), ("/api/events", ["limit": "0"]), ("/api/events", ["limit": "1001"]),
    ]
    for (path, query) in wrong {
      let refusal = #expect(throws: RequestRefusal.self) { try Self.route(path, query) }
      #expect(refusal?.status == 400)
    }
  }

  @Test func `only what people look at is reached by links`() throws {
    #expect(try Self.route("/")?.isDocument == true && Self.route("/status")?.isDocument == true)
    for path in ["/metrics", "/api/documents", "/api/stream", "/api/command", "/api/sessions", "/api/events"]
    {
      #expect(try Self.route(path)?.isDocument == false)
    }
  }
}
