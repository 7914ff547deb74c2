import FleetModel
import Logging

/// What the log says of a reload that a signal asked for.
struct ReloadReport: Equatable {
  /// One line of it.
  struct Line: Equatable {
    var level: Logger.Level
    var message: String
    var metadata: [String: String] = [:]
  }

  let lines: [Line]

  init(_ outcome: CommandOutcome) {
    lines =
      switch outcome {
      case .done(_, let data):
        Self.problems(data)
          + ReloadText.changes(in: data).map { Line(level: .notice, message: $0) } + [
            Line(
              level: .notice, message: "configuration reloaded",
              metadata: [
                "changed": Self.names(data["changed"]), "needs_restart": Self.names(data["needs_restart"]),
              ])
          ]
      case .failed(let failure):
        Self.problems(failure.data)
          + ReloadText.removals(in: failure.data).map { Line(level: .warning, message: $0) } + [
            Line(
              level: .error, message: "reload failed; the old configuration stays in effect",
              metadata: ["reason": failure.message]
            )
          ]
      case .unknown(let message):
        [Line(level: .error, message: "the configuration may have changed", metadata: ["reason": message])]
      }
  }

  func write(to log: Logger) {
    for line in lines {
      log.log(level: line.level, "\(line.message)", metadata: line.metadata.mapValues { "\($0)" })
    }
  }

  private static func names(_ value: JSONValue?) -> String {
    let names = value?.array?.compactMap(\.string) ?? []
    return names.isEmpty ? "none" : names.joined(separator: ",")
  }

  private static func problems(_ data: JSONObject) -> [Line] {
    ReloadText.problems(in: data).map { Line(level: $0.isError ? .error : .warning, message: $0.line) }
  }
}
