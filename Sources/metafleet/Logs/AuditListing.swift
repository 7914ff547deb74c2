import Dialects
import FleetModel

/// The audit trail as a table, or as one object per request.
enum AuditListing {
  /// Everything in one line per request where `width` is enough for that, or nil; else in two.
  static func lines(
    of trail: [AuditLine], names: [BoardID: String], width: Int?, isColoured: Bool = false
  ) -> [String] {
    let whole = table(of: trail, names: names)
    let plain = whole.lines()
    guard let width, plain.contains(where: { TextWidth.of($0) > width }) else {
      return whole.lines(isColoured: isColoured)
    }
    let short = AuditPage(width: width, trail: trail.map { ($0, row(of: $0, names)) })
    return short.lines(isColoured: isColoured) { line in
      let took = line.end.map { "took \(DurationText.rounded($0.took))" }
      return [took, "id \(line.id)", arguments(of: line)].compactMap { $0 }.filter { !$0.isEmpty }
        .joined(separator: "  ")
    }
  }

  static func table(of trail: [AuditLine], names: [BoardID: String]) -> Table {
    var table = Table([
      .init("TIME"), .init("WHO"), .init("TARGET"), .init("VERB"), .init("OUTCOME"),
      .init("TOOK", isRight: true), .init("ID"), .init("ARGUMENTS"),
    ])
    for line in trail {
      table.rows.append(
        row(of: line, names) + [
          .init(line.end.map { DurationText.rounded($0.took) } ?? ""), .init(printable(line.id)),
          .init(printable(arguments(of: line))),
        ])
    }
    return table
  }

  /// What every form of the list has.
  private static func row(of line: AuditLine, _ names: [BoardID: String]) -> [Table.Cell] {
    [
      .init(ClockText.utc(line.time)), .init(printable(sender(of: line))),
      .init(printable(target(of: line, names))), .init(printable(line.verb), .bold), outcome(of: line),
    ]
  }

  /// As JSON; of a batch its commands, one behind the other.
  private static func arguments(of line: AuditLine) -> String {
    let commands = line.verb == BatchVerb.name ? BatchVerb.commands(in: line.arguments) : []
    if commands.isEmpty { return text(line.arguments) }
    let list = commands.map { $0.arguments.isEmpty ? $0.verb : "\($0.verb) \(text($0.arguments))" }
    return list.joined(separator: "; ")
      + (line.arguments["on_failure"]?.string.map { "; on_failure: \($0)" } ?? "")
  }

  private static func text(_ arguments: JSONObject) -> String {
    arguments.isEmpty ? "" : JSONText.of(.object(arguments))
  }

  static func object(of line: AuditLine) -> JSONObject {
    var object: JSONObject = ["ts_ms": .integer(line.time.milliseconds)]
    switch line.target {
    case .board(let board): object["board"] = .string(board.description)
    case .group(let name): object["group"] = .string(name)
    case .gateway(let id): object["gateway"] = .string(id)
    }
    object["verb"] = .string(line.verb)
    object["id"] = .string(line.id)
    object["args"] = .object(line.arguments)
    // A name may come more than once, as it may in MQTT.
    object["sender"] = .array(line.sender.map { ["name": .string($0.name), "value": .string($0.value)] })
    object["response_topic"] = line.responseTopic.map { .string($0) }
    object["refused"] = .bool(line.isRefusal)
    object["stage"] = line.end.map { .string($0.stage) }
    object["code"] = line.end?.code.map { .string($0) }
    object["took_ms"] = line.end.map { .integer($0.took.wholeMilliseconds) }
    return object
  }

  /// Who the sender says it is; else where it wanted the answers.
  private static func sender(of line: AuditLine) -> String {
    line.sender.claimedSender ?? line.responseTopic ?? "-"
  }

  private static func target(of line: AuditLine, _ names: [BoardID: String]) -> String {
    switch line.target {
    case .board(let board): names[board] ?? "\(board)"
    case .group(let name): "group:\(name)"
    case .gateway(let id): "gateway:\(id)"
    }
  }

  private static func outcome(of line: AuditLine) -> Table.Cell {
    guard let end = line.end else { return .init("running") }
    let words = line.isRefusal ? "refused" : end.stage
    let text = end.code.map { "\(words): \($0)" } ?? words
    switch end.stage {
    case "done": return .init(printable(text), .good)
    case "failed": return .init(printable(text), .bad)
    default: return .init(printable(text))
    }
  }
}
