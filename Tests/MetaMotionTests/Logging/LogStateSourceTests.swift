import FleetModel
import Support
import Testing

@testable import MetaMotion

/// What boards tell of themselves when they are asked now and then (protocol reference, sections 16.1 and 26.4).
@Suite struct LogStateSourceTests {
  private static let polls: [(stream: String, question: String, answer: String, values: [Double])] = [
    ("log-length", "0b85", "0b859e010000", [414]), ("log-length", "0b85", "0b859e01", [414]),
    ("log-time", "0b84", "0b841504000005", [1_045, 5]),
    ("fusion-calibration", "198b", "198b000102", [0, 1, 2]),
  ]

  @Test(arguments: polls.indices)
  func `polls ask and read as the reference says`(index: Int) throws {
    let (name, question, answer, values) = Self.polls[index]
    let sources = StreamSources(on: try TestBoard.metaMotionS.inventory())
    let stream = try #require(StreamCatalogue.find(name)).stream
    let place = try #require(sources.index(for: stream))
    let asked = try #require(try sources.all[place].question(for: stream, [:]))
    #expect(asked.register.read(asked.arguments) == bytes(question))
    #expect(asked.values(bytes(answer)) == values)
  }

  @Test func `firmware without a state of calibration, or a log, offers none`() throws {
    let board = try TestBoard.metaMotionS.with("19800000 0b80").inventory()
    let names = StreamOffers(board).streams.map(\.name)
    #expect(Set(names).isDisjoint(with: ["log-length", "log-time", "fusion-calibration"]))
  }

  @Test func `one answer of the log is what it was, beside its polls`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(read: "log-length")
    try await session.link.expect(bytes("0b85"), answer: bytes("0b859e010000"))
    #expect(await outcome == .done(evidence: .response, data: ["entries": 414]))
  }
}
