import Dialects
import FleetModel

/// What the broker holds of one gateway, to be removed when that is gone for good. Pure.
struct GoneGateway: RetainedListener, Sendable {
  let id: String
  private let topics: TopicTree
  private let others: TopicTree
  /// Retained documents of the gateway itself.
  private var documents: [String: [UInt8]] = [:]
  /// Those of all boards.
  private var boards: [BoardID: [String: [UInt8]]] = [:]

  init(_ id: String, base: String) {
    self.id = id
    topics = TopicTree(base: base, gateway: id)
    others = TopicTree(base: base, gateway: "")
  }

  /// What to listen to: gateways clear and say everything there.
  var filters: [String] { [topics.gatewayDocumentsFilter] + topics.boardDocumentFilters }

  /// Takes a message: a retained document, or that one is gone. Whatever else goes by stays nowhere.
  mutating func saw(_ message: MQTTMessage) {
    let (topic, payload) = (message.topic, message.payload)
    guard message.isRetained || payload.isEmpty || topic == topics.gatewayAvailability else { return }
    let document = payload.isEmpty ? nil : payload
    if let board = others.board(of: topic) {
      boards[board, default: [:]][topic] = document
    } else if topic.hasPrefix(topics.gatewayDocumentsFilter.dropLast()) {
      documents[topic] = document
    }
  }

  /// Whatever comes may be followed by more: gateways that are gone say nothing again.
  func isNew(_ message: MQTTMessage) -> Bool { true }

  var isKnown: Bool { !documents.isEmpty || !own.isEmpty }

  var isOnline: Bool {
    documents[topics.gatewayAvailability].flatMap { GatewayAvailabilityDocument($0) }?[.state] == .online
  }

  /// Boards of which it alone has spoken.
  private var own: [BoardID] { boards.filter { owners(of: $0.value) == [id] }.keys.sorted() }

  /// Boards of which another gateway has spoken, too: they are its.
  private var shared: [BoardID] {
    boards.filter { owners(of: $0.value).contains(id) && owners(of: $0.value).count > 1 }.keys.sorted()
  }

  private func owners(of documents: [String: [UInt8]]) -> Set<String> {
    Set(documents.values.compactMap { DocumentOwner.gateway(in: $0) })
  }

  /// Retained topics to clear: the gateway's own last, so that what was left half done is found again.
  var removable: [String] {
    own.flatMap { boards[$0]?.keys.sorted() ?? [] }
      + documents.keys.sorted {
        ($0 == topics.gatewayAvailability ? 1 : 0, $0) < ($1 == topics.gatewayAvailability ? 1 : 0, $1)
      }
  }

  /// What is removed, in lines for a person.
  var listing: [String] {
    let adapters = documents.filter { TopicTree(base: topics.base, gateway: id).adapter(of: $0.key) != nil }
    let names = own.map { board -> String in
      let name = boards[board]?[topics.board(board, .info)].flatMap { BoardInfoDocument($0) }?[.name]
      return name.map { "\(quoted($0)) (\(board))" } ?? "\(board)"
    }
    var lines = ["gateway \(printable(id)): \(CountText.of(documents.count, "document"))"]
    for document in adapters.values.compactMap({ AdapterDocument($0) }) {
      lines.append("  adapter \(document[.adapter] ?? "?") (\(document[.name] ?? "?"))")
    }
    lines += names.map { "  board \($0)" }
    if !shared.isEmpty {
      lines.append(
        "stays: \(CountText.of(shared.count, "board")) of which another gateway has spoken, too: "
          + shared.map(\.description).joined(separator: ", "))
    }
    return lines.map(printable)
  }
}
