/// `alarm-acknowledge` (MQTT contract 4.1).
enum AlarmVerb {
  static let acknowledge = VerbDefinition(
    "alarm-acknowledge", .gateway,
    "Notes that somebody has seen alarms of the gateway; each acknowledgement ends with its alarm.",
    [
      Parameter("alarm", .identifier(atMost: 64), "one alarm, by its id in the document alarms"),
      Parameter("board", .address, "alarms of this board, by its id or address"),
      Parameter("code", .choice(AlarmCode.allCases.map(\.rawValue)), "alarms of this code"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let (alarm, code) = (arguments["alarm"]?.string, arguments["code"]?.string)
      let board = arguments["board"]?.string
      guard (alarm != nil) != (board != nil || code != nil) else {
        throw .invalid("alarm-acknowledge needs either alarm, or board, code or both")
      }
      guard let alarm else {
        return .gateway(
          .acknowledgeAlarms(
            AlarmAcknowledgement(
              code: code.flatMap { AlarmCode(rawValue: $0) }, board: board.flatMap { BoardID($0) })))
      }
      guard let id = Alarm.ID(alarm) else {
        throw .invalid(
          "alarm must be the id of an alarm, such as battery-low.e5a1c2d3f4b6; the document alarms lists them"
        )
      }
      return .gateway(.acknowledgeAlarms(AlarmAcknowledgement(alarm: id)))
    }
  )
  .answering(
    [
      Parameter("count", .count, required: true, "alarms that were not acknowledged before"),
      Parameter(
        "alarms", .list(of: .text(1...64), 0...AlarmReport.longest), required: true,
        "ids of all alarms that were named and stand, at most 200"),
    ], example: ["board": "e5a1c2d3f4b6", "code": "battery-low"])
}
