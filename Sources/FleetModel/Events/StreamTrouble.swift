/// What is lastingly wrong with one of a board's streams (MQTT contract 1.3, `stream_reason`).
public struct StreamTrouble: Hashable, Sendable {
  /// The stream; of what is logged, `log/` and its name.
  public var stream: String
  /// What, and what to do.
  public var reason: StatedReason

  /// States a trouble.
  public init(_ stream: String, _ reason: StatedReason) { (self.stream, self.reason) = (stream, reason) }

  /// Codes of streams, the gravest first.
  public static let codes: [ReasonCode] = [
    .streamSilent, .notLogged, .samplesMissing, .sensorSlow, .sensorFast, .packetsDoubled,
  ]

  /// All troubles of a board in one: the code of the gravest, and a sentence that names each stream. Nil without any.
  public static func reason(_ troubles: [StreamTrouble]) -> StatedReason? {
    func rank(_ trouble: StreamTrouble) -> Int { codes.firstIndex(of: trouble.reason.code) ?? codes.count }
    let sorted = troubles.sorted { (rank($0), $0.stream) < (rank($1), $1.stream) }
    return sorted.first.map { first in
      StatedReason(
        first.reason.code, sorted.map { "\($0.stream): \($0.reason.sentence)" }.joined(separator: "; "))
    }
  }
}
