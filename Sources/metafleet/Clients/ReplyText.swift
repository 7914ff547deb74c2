import Dialects
import FleetModel

/// A staged reply in words.
enum ReplyText {
  /// One line for the stage, then one per result, or per board that a group's job could not do; `names` are those of
  /// boards by id, and those in `told` have been told already.
  static func lines(
    of reply: ReplyDocument, now: Timestamp, names: [String: String] = [:], told: Set<String> = []
  ) -> [String] {
    let stage = reply[.stageWord] ?? "?"
    var words: [String] = []
    switch reply[.stage] {
    case .accepted: words.append("by \(reply[.answeredBy] ?? "?")")
    case .queued:
      if let eta = reply[.eta] { words.append("next contact \(span(until: eta, now))") }
    case .progress:
      if let percent = reply[.percent] { words.append("\(ParameterType.plain(percent)) %") }
      if JobText.isJob(reply), let data = reply[.data] { words.append(JobText.counts(data)) }
      if let eta = reply[.eta] { words.append("(over \(span(until: eta, now)))") }
    case .failed, .unknown:
      if let code = reply[.code] { words.append("\(code):") }
      if let message = reply[.message] { words.append(message) }
      if let retry = reply[.retryAfterMilliseconds] {
        words.append("(try again in \(DurationText.roundedUp(.milliseconds(retry))))")
      }
    case .done:
      if let took = reply[.tookMilliseconds] {
        words.append("in \(DurationText.rounded(.milliseconds(took)))")
      }
      if let evidence = reply[.evidence] { words.append("(\(evidence))") }
    case .sent, nil: break
    }
    if reply[.isDuplicate] == true { words.append("(answered before)") }
    let head = "\(padded(stage)) \(words.joined(separator: " "))"
    let results = (ReloadText.lines(of: reply) ?? results(of: reply, names: names, told: told)).map {
      "\(padded("")) \($0)"
    }
    return ([head] + results).map { printable($0).trimmingBlanks }
  }

  private static func results(
    of reply: ReplyDocument, names: [String: String], told: Set<String>
  ) -> [String] {
    guard let data = reply[.data] else { return [] }
    if let lines = BatchText.lines(of: reply) { return reply[.stage]?.isFinal == true ? lines : [] }
    guard JobText.isJob(reply) else {
      return data.members.flatMap { lines(of: $0.value, named: $0.key) }
    }
    switch reply[.stage] {
    case .accepted: return [CountText.of(Int(clamping: data["total"]?.integer ?? 0), "board")]
    case .progress: return []
    default: return [JobText.counts(data)] + JobText.failures(data, names: names, told: told)
    }
  }

  /// Results in one line, without the time at which they were read.
  static func inline(_ data: JSONObject) -> String {
    data.members.filter { $0.key != "ts_ms" }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ")
  }

  private static func text(_ value: JSONValue) -> String { value.string ?? JSONText.of(value) }

  /// One line; of a list of anything but numbers a line for each element.
  private static func lines(of value: JSONValue, named name: String) -> [String] {
    guard let elements = value.array, elements.contains(where: { $0.number == nil }) else {
      return ["\(name): \(text(value))"]
    }
    return ["\(name):"] + elements.map { "  \(text($0))" }
  }

  private static func padded(_ stage: String) -> String {
    stage + String(repeating: " ", count: max(0, 9 - stage.count))
  }

  private static func span(until time: Timestamp, _ now: Timestamp) -> String {
    let left = time - now
    return left <= .zero ? "now" : "in \(DurationText.format(.seconds(left.components.seconds)))"
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
