import FleetModel
import Testing

@testable import Dialects

/// Whatever comes on a command topic is refused with a code, or means something; nothing traps, and what is answered is
/// small and harmless.
@Suite struct HostileRequestTests {
  private static let count = 10_000

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `F85 ten thousand hostile requests`(_ seed: UInt64) throws {
    var requests = HostileRequest(seed: seed)
    let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "g"))
    var (refused, meant): ([String: Int], Int) = ([:], 0)
    for number in 0..<Self.count {
      let (message, kind) = requests.next()
      let place: Comment = "seed \(seed), request \(number), \(kind)"
      let arrived = Timestamp(milliseconds: 1_763_671_234_567)
      let meaning = dialect.read(message, arrived: arrived) { "fresh" }
      guard case .command(let target, let verb, let command) = meaning else {
        #expect(message.topic.contains("NOT-A-BOARD"), place)
        continue
      }
      switch command {
      case .empty: #expect(message.payload.isEmpty, place)
      case .refused(let refusal):
        refused[refusal.failure.code.rawValue, default: 0] += 1
        #expect([.invalid, .retained].contains(refusal.failure.code), place)
        try Self.judge(
          refusal.id, refusal.failure, refusal.replyTo.responseTopic, target, verb, dialect, place)
      case .request(let request):
        #expect(ParameterType.isIdentifier(request.id), place)
        #expect(request.expires <= arrived + .seconds(7 * 86_400), place)
        do throws(CommandFailure) {
          _ = try request.interpret()
          meant += 1
        } catch {
          refused[error.code.rawValue, default: 0] += 1
          #expect([.invalid, .denied, .unsupported].contains(error.code), place)
          try Self.judge(request.id, error, request.replyTo.responseTopic, target, verb, dialect, place)
        }
      }
    }
    // Most are refused, but the generator reaches meanings, too.
    #expect(
      refused["invalid", default: 0] > Self.count / 2, "seed \(seed): \(refused), \(meant) meant something")
    #expect(meant > 100, "seed \(seed)")
  }

  /// The answer is a document of ours: valid, bounded, on a topic that can be published on.
  private static func judge(
    _ id: String, _ failure: CommandFailure, _ responseTopic: String?, _ target: CommandTarget,
    _ verb: String,
    _ dialect: PlainDialect, _ place: Comment
  ) throws {
    let reply = CommandReply(
      id: id, target: target, verb: verb, stage: .final(.failed(failure), took: .zero),
      time: Timestamp(milliseconds: 1), replyTo: ReplyAddress(responseTopic: responseTopic))
    let messages = dialect.messages(for: .reply(reply))
    let isOwn = responseTopic.map { !dialect.topics.isOurs($0) } ?? false
    #expect(messages.count == (isOwn ? 2 : 1), place)
    for message in messages.map(\.message) {
      #expect(!message.topic.contains(where: { "+#\u{0}".contains($0) }) && !message.topic.isEmpty, place)
      #expect(message.payload.count < 4_096, place)
      let document = try StrictJSON.parse(message.payload).object
      #expect(ParameterType.isIdentifier(document?["id"]?.string ?? ""), place)
      let words = document?["message"]?.string ?? ""
      #expect(
        !words.isEmpty && words.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" }, place)
    }
  }
}
