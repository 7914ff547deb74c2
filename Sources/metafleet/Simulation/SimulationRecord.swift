import FleetModel
import Simulator

/// What simulated boards did and what was done to them, as a recording and `simulate --json` have it: one object for
/// each, with the time of the simulation in seconds. Pure.
enum SimulationRecord {
  private static let units: [String: String] = [
    "accelerometer": "g", "gyroscope": "deg/s", "magnetometer": "uT",
  ]

  /// What a board did, or became of an entry of its log; nil for the bytes of a sample, whose values are there.
  static func object(_ board: BluetoothAddress, _ entry: LedgerEntry, at time: Duration) -> JSONObject? {
    var object: JSONObject = [
      "t_s": .number(time.inSeconds), "board": .string(BoardID(board).description),
    ]
    switch entry {
    case .measured: return nil
    case .logged, .refused, .removed, .readOut, .page: object["log"] = .string("\(entry)")
    case .felt(let module, let value):
      let name = RegisterPlace.name(of: module)
      object["measured"] = .string(name)
      (object["x"], object["y"], object["z"]) = (.number(value.x), .number(value.y), .number(value.z))
      if let unit = units[name] { object["unit"] = .string(unit) }
    case .fired(let module, let register, let index, let bytes):
      object["fired"] = .string(RegisterPlace.name(of: module))
      object["register"] = .integer(Int64(register))
      if let index { object["index"] = .integer(Int64(index)) }
      object["data"] = .string(Hex.string(bytes))
    case .lit(let colours, let until):
      object["led"] = .array(colours.map { .string($0) })
      if let until { object["until_s"] = .number(until.inSeconds) }
    case .driven(let percent, let isBuzzer, let span):
      object[isBuzzer ? "buzzer_pct" : "motor_pct"] = .integer(Int64(percent))
      object["for_s"] = .number(span.inSeconds)
    case .pin(let number, let isHigh):
      object["pin"] = .integer(Int64(number))
      object["level"] = .string(isHigh ? "high" : "low")
    case .link(let isUp): object["link"] = .string(isUp ? "up" : "down")
    case .restarted(let cause): object["restarted"] = .string(cause)
    }
    return object
  }

  /// What was done to boards, or to what is around them.
  static func object(_ order: FaultOrder, at time: Duration) -> JSONObject {
    [
      "t_s": .number(time.inSeconds), "command": .string("\(order.fault)"),
      "boards": .array(order.boards.map { .string(BoardID($0).description) }),
    ]
  }
}
