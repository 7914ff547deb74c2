package import FleetModel

/// A command as it enters the ledger.
package struct CommandEntry: Hashable, Sendable {
  /// What makes a request the same request.
  package struct Key: Hashable, Sendable {
    package var topic: String
    package var id: String

    package init(topic: String, id: String) {
      self.topic = topic
      self.id = id
    }
  }

  package var key: Key
  /// The request had no id; the key's is made up.
  package var isAnonymous: Bool
  /// Of the payload as it arrived; the same key with another hash is somebody's mistake.
  package var payloadHash: UInt64
  package var firstSeen: Timestamp
  package var expires: Timestamp
  /// Until when it is remembered once it is finished.
  package var keptUntil: Timestamp
  package var request: [UInt8]
  /// The answer `accepted`.
  package var reply: [UInt8]

  package init(
    key: Key, isAnonymous: Bool = false, payloadHash: UInt64, firstSeen: Timestamp, expires: Timestamp,
    keptUntil: Timestamp? = nil, request: [UInt8], reply: [UInt8]
  ) {
    self.key = key
    self.isAnonymous = isAnonymous
    self.payloadHash = payloadHash
    self.firstSeen = firstSeen
    self.expires = expires
    self.keptUntil = keptUntil ?? max(firstSeen + CommandLedger.memory, expires)
    self.request = request
    self.reply = reply
  }
}

/// What the ledger says to a request.
package enum CommandPrecedent: Hashable, Sendable {
  /// Never seen; it is in the ledger now.
  case fresh
  /// Under way; its latest answer.
  case running([UInt8])
  /// Done, failed or unknown; its one final answer.
  case finished([UInt8])
  /// The key is known with another payload.
  case mismatch
}

/// A command that a crash left without its final answer.
package struct UnfinishedCommand: Hashable, Sendable {
  package var entry: CommandEntry
  /// It was, or was about to be, handed to a radio: whether it ran is unknown. Otherwise it did not run.
  package var wasSent: Bool
}
