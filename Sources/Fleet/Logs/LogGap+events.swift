import FleetModel
import Storage

extension LogGap {
  /// Fields of the events that tell of it, one for each of our streams that it is of (MQTT contract 5, `data-gap`). Nil
  /// while nobody knows which streams the session has.
  func eventFields(of session: LogSession) -> [JSONObject]? {
    guard !session.streams.isEmpty else { return nil }
    let ours = session.streams.filter { $0.isOurs && (stream == nil || stream == $0.name) }
    return ours.map { logged in
      var fields: JSONObject = [
        "stream": .string(logged.name), "session": .string(session.id.description),
        "from_ms": .integer((from ?? session.started).milliseconds), "count": .integer(Int64(count)),
        "reason": .string(reason),
      ]
      fields["cause"] = cause.map { .string($0.rawValue) }
      fields["to_ms"] = to.map { .integer($0.milliseconds) }
      return fields
    }
  }
}
