internal import FleetModel

/// What became of a session's samples, from the archive's own books. Pure.
package struct LogLedger: Hashable, Sendable {
  /// One stream's account.
  package struct Account: Hashable, Sendable {
    /// Samples that were published, that is put into the outbox.
    package var published = 0
    /// Of these, what the broker acknowledged.
    package var delivered = 0
    /// Samples that were declared lost before one that was published; -1 when some are not countable.
    package var lost = 0
    /// Whether a number was published twice or left out.
    package var isBroken = false

    package init() {}

    /// Published, and not acknowledged yet.
    package var waiting: Int { published - delivered }

    /// Both accounts in one.
    package mutating func add(_ other: Account) {
      published += other.published
      delivered += other.delivered
      lost = lost < 0 || other.lost < 0 ? -1 : lost + other.lost
      isBroken = isBroken || other.isBroken
    }
  }

  package var session: LogSession
  /// Entries that were decoded.
  package var published = 0
  /// Entries whose bytes are still here.
  package var archived = 0
  /// What publishing left behind; the lane's own business.
  package var lane: [UInt8] = []
  /// By stream, as named on the wire.
  package var accounts: [String: Account] = [:]

  package init(session: LogSession) { self.session = session }

  /// Takes a batch; those of a stream come in the order of their numbers.
  package mutating func add(stream: String, sequence: Int, samples: Int, gapBefore: Int, isDelivered: Bool) {
    var account = accounts[stream] ?? Account()
    if sequence != account.published { account.isBroken = true }
    account.published += samples
    if isDelivered { account.delivered += samples }
    account.lost = account.lost < 0 || gapBefore < 0 ? -1 : account.lost + gapBefore
    accounts[stream] = account
  }
}
