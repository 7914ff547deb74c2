import FleetModel
import Logging

/// A line of the log before it is text.
struct LogLine: Hashable, Sendable {
  /// What is said beside the message: a word, and its value.
  struct Field: Hashable, Sendable { var name, value: String }

  var level: Logger.Level
  var message: String
  /// By name.
  var fields: [Field] = []
  var time: Timestamp
  /// How many more like it there were in the minute before.
  var more = 0

  /// As it is written, without its end: one line, whatever is in it. `isDated`: whether text says when it was.
  func text(_ format: LogConfiguration.Format, isDated: Bool = true) -> String {
    switch format {
    case .text:
      let fields = fields.map { " \($0.name)=\(printable($0.value))" }.joined()
      let text =
        "\(level): \(printable(message))\(fields)"
        + (more > 0 ? " (\(more) more of these in the last minute)" : "")
      return isDated ? LineLog.dated(text, time) : text
    case .json:
      var line: JSONObject = [
        "ts_ms": .integer(time.milliseconds), "level": .string("\(level)"), "message": .string(message),
      ]
      for field in fields { line[field.name] = .string(field.value) }
      if more > 0 { line["more_in_last_minute"] = .integer(Int64(more)) }
      return JSONText.of(.object(line))
    }
  }
}
