import FleetModel
import Storage

/// What the commit under way takes to the disk, and what of it the broker was told meanwhile because the disk takes its
/// time. Pure.
struct MessagesBeingWritten: Sendable {
  /// What became of a message that went out.
  private enum Outcome {
    case underWay(OutboxRow.ID)
    case delivered
    case refused
  }

  private let messages: [OutboxMessage]
  /// Of those that went out, by their places.
  private var outcomes: [Int: Outcome] = [:]

  init(_ messages: [OutboxMessage] = []) { self.messages = messages }

  /// What goes out without waiting for the disk any longer, at most `room`, with tokens behind `lastToken`.
  mutating func takeForBroker(
    atMost room: Int, after lastToken: inout OutboxRow.ID
  ) -> [(token: OutboxRow.ID, message: OutboxMessage)] {
    var taken: [(token: OutboxRow.ID, message: OutboxMessage)] = []
    for (place, message) in messages.enumerated()
    where taken.count < room && message.goesWithoutDisk && outcomes[place] == nil {
      lastToken += 1
      outcomes[place] = .underWay(lastToken)
      taken.append((lastToken, message))
    }
    return taken
  }

  /// The broker has answered for a message of such a token. Returns the message; nil where it is none of these.
  mutating func answered(_ token: OutboxRow.ID, isDelivered: Bool) -> OutboxMessage? {
    guard let place = underWay.first(where: { $0.token == token })?.place else { return nil }
    outcomes[place] = isDelivered ? .delivered : .refused
    return messages[place]
  }

  /// A new connection: what was under way on the old one is under way no longer.
  mutating func connectionOpened() {
    for (place, _) in underWay { outcomes[place] = nil }
  }

  /// The places of those that the broker has.
  var delivered: Set<Int> {
    Set(outcomes.compactMap { place, outcome in if case .delivered = outcome { place } else { nil } })
  }

  /// What the disk did not take after all: what waits for it still, what is on its way without it, and what the broker
  /// has.
  var left:
    (
      waiting: [OutboxMessage], underWay: [(token: OutboxRow.ID, message: OutboxMessage)],
      delivered: [OutboxMessage]
    )
  {
    let out = Set(underWay.map(\.place)).union(delivered)
    return (
      messages.enumerated().filter { !out.contains($0.offset) }.map(\.element),
      underWay.map { ($0.token, messages[$0.place]) }, delivered.sorted().map { messages[$0] }
    )
  }

  private var underWay: [(place: Int, token: OutboxRow.ID)] {
    outcomes.compactMap { place, outcome in
      if case .underWay(let token) = outcome { (place, token) } else { nil }
    }
  }
}

extension OutboxMessage {
  /// Whether it need not wait for a disk that is in trouble: everything but samples, and what closes sessions (fault
  /// F136).
  var goesWithoutDisk: Bool { deliveryClass != .record && closes.isEmpty }
}
