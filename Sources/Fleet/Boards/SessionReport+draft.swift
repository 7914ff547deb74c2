import BoardKit
import FleetModel

/// Reports that are events as they are (MQTT contract 5).
extension SessionReport {
  var draft: EventDraft? {
    switch self {
    case .event(.happened(let kind, let type, let fields), let time):
      return EventDraft(kind, type, fields: fields, at: time)
    case .silence(let stream, let isSilent):
      return EventDraft(
        .streamSilent, isSilent ? "silent" : "recovered", fields: ["stream": .string(stream)])
    case .rate(let stream, let fault):
      var fields: JSONObject = ["stream": .string(stream)]
      for (name, value) in fault?.fields ?? [] { fields[name] = .integer(Int64(value)) }
      return EventDraft(.streamRate, fault?.type ?? "recovered", fields: fields)
    case .missed(let stream, let session, let missed, let isOverflow):
      return .gap(
        in: stream, StreamInterruption(session: session, lastSample: missed.from), until: missed.to,
        count: missed.count,
        reason: isOverflow ? .overflow : .radio)
    case .impossible(let stream, let first):
      return EventDraft(
        .dataQuality, "impossible-value",
        fields: ["stream": .string(stream), "field": .string(first.field), "value": first.json])
    case .possible(let stream, let count):
      return EventDraft(
        .dataQuality, "recovered", fields: ["stream": .string(stream), "count": .integer(Int64(count))])
    case .leftOut(let stream, let session, let hole):
      return .gap(
        in: stream, StreamInterruption(session: session, lastSample: hole.from), until: hole.to,
        count: hole.count,
        reason: .impossibleValue)
    default: return nil
    }
  }
}

extension EventDraft {
  /// Loss is never silent (invariant I12). A `count` of -1: nobody knows.
  static func gap(
    in stream: String, _ cutOff: StreamInterruption, until time: Timestamp, count: Int, reason: GapReason
  ) -> EventDraft {
    EventDraft(
      .dataGap, "stream",
      fields: [
        "stream": .string(stream), "session": .string(cutOff.session.description),
        "from_ms": .integer(cutOff.lastSample.milliseconds), "to_ms": .integer(time.milliseconds),
        "count": .integer(Int64(count)), "reason": .string(reason.rawValue),
      ])
  }
}
