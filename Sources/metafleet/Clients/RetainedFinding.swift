import FleetModel

/// Something that is retained below the base topic, or is not, and should not be so. Pure.
struct RetainedFinding: Hashable, Sendable {
  enum Kind: String, Sendable, CaseIterable {
    /// A command, an answer, an event or samples, which nobody retains on purpose.
    case passing
    /// Documents of a board that no gateway looks after.
    case board
    /// Documents of a board whose gateway is not to be seen.
    case orphan
    /// Documents of a gateway that has another name by now.
    case renamed
    /// Documents of a gateway that is offline while another one has its computer's name or its id, not its boards.
    case namesake
    /// What is no document of this version.
    case unknown
    /// A document that cannot be read.
    case unreadable
    /// A document that its gateway has published, and somebody has cleared.
    case missing
    /// A board that two gateways look after.
    case contested
  }

  let kind: Kind
  /// What it is about, in words.
  let subject: String
  let topics: [String]
  /// What it means, and what to do.
  let sentence: String

  /// Whether clearing the topics is all there is to do.
  var isRemovable: Bool {
    switch kind {
    case .passing, .board, .renamed: true
    case .orphan, .namesake, .unknown, .unreadable, .missing, .contested: false
    }
  }

  /// For people: one line, then the topics.
  var lines: [String] { ([subject + ": " + sentence] + topics.map { "  " + $0 }).map(printable) }

  /// For programs.
  var object: JSONObject {
    [
      "kind": .string(kind.rawValue), "subject": .string(subject), "removable": .bool(isRemovable),
      "topics": .array(topics.map { .string($0) }), "message": .string(sentence),
    ]
  }
}
