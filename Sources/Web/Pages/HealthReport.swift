/// Whether the daemon's threads make progress: what `/healthz` says. Pure.
struct HealthReport: Hashable, Sendable {
  /// How long a part may be busy with one thing.
  static let limit = Duration.seconds(20)

  /// One sentence for each part that stands still.
  let causes: [String]

  /// `silence` is how long ago each part last showed that it goes on.
  init(_ silence: [String: Duration]) {
    causes = silence.sorted { $0.key < $1.key }.filter { $0.value > Self.limit }.map { name, time in
      "\(name) has made no progress for \(time.components.seconds) s"
    }
  }

  var content: HTTPContent { causes.isEmpty ? .text(200, ["ok"]) : .text(503, causes) }
}
