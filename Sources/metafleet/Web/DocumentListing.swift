import Dialects
import FleetModel
import Web

/// The retained documents of a gateway by their topics below the base, as one object. Pure.
struct DocumentListing {
  /// Payloads by topics: JSON.
  private(set) var documents: [String: [UInt8]] = [:]
  private let gateway: String

  /// `since` is when the gateway was started: what it says of that it has said to a broker only. `others` are documents
  /// of other gateways; what is ours is known better here.
  init(
    _ events: [FleetEvent], since: Timestamp, in dialect: PlainDialect, others: [String: [UInt8]] = [:]
  ) {
    (documents, gateway) = (others, dialect.topics.gateway)
    let messages =
      [dialect.birth(0, at: since, reason: "started")] + events.flatMap { dialect.messages(for: $0) }
    for outgoing in messages {
      guard let watched = dialect.topics.watched(outgoing.message), watched.kind == .document else {
        continue
      }
      documents[watched.topic] = outgoing.message.payload.isEmpty ? nil : outgoing.message.payload
    }
  }

  var content: HTTPContent {
    var bytes = Array("{".utf8)
    for (topic, payload) in documents.sorted(by: { $0.key < $1.key }) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += JSONWriter.bytes(of: .string(topic)) + Array(":".utf8) + payload
    }
    var content = HTTPContent(200, "application/json", bytes + Array("}".utf8))
    // Of several gateways, the one that answers.
    content.headers["X-MetaFleet-Gateway"] = gateway
    return content
  }
}
