import FleetModel

/// Which certificates are announced to expire: thirty, seven and one day before, and when they have, each once for each
/// certificate (fault F74). Pure.
struct ExpiryNotices: Hashable, Sendable {
  struct Notice: Hashable, Sendable {
    var certificate: AlarmFacts.Certificate
    /// Whole days that are left; 0 for less than one, and for one that has expired.
    var days: Int
    var hasExpired: Bool

    /// For people.
    var sentence: String {
      hasExpired
        ? "the certificate \(certificate.file) has expired; put a new one in its place"
        : "the certificate \(certificate.file) expires \(days == 0 ? "within a day" : "in " + CountText.of(days, "day")); "
          + "put a new one in its place"
    }
  }

  /// Days before the end.
  static let steps = [30, 7, 1]

  /// How many of the steps were announced; one more where it has expired.
  private var said: [AlarmFacts.Certificate: Int] = [:]

  /// What is to be announced now. A clock that is not set says nothing of an end.
  mutating func due(_ certificates: [AlarmFacts.Certificate], at now: Timestamp) -> [Notice] {
    guard now.isPlausible else { return [] }
    // One that is not seen for a while, as a broker's that is away, is the same when it is back.
    said = said.filter { old in
      !certificates.contains { $0.file == old.key.file && $0 != old.key }
    }
    return certificates.compactMap { certificate in
      let left = certificate.expires - now
      let days = max(0, Int(left.components.seconds / 86_400))
      let hasExpired = left <= .zero
      let reached = hasExpired ? Self.steps.count + 1 : Self.steps.count { days < $0 }
      guard reached > said[certificate] ?? 0 else { return nil }
      said[certificate] = reached
      return Notice(certificate: certificate, days: days, hasExpired: hasExpired)
    }
  }
}
