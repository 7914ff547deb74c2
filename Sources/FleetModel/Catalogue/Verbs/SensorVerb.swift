/// `sensor` (MQTT contract 3.9).
enum SensorVerb {
  private static let offset = [
    Parameter("x", .number(-64...64), standard: 0, "shift along x, in g or °/s"),
    Parameter("y", .number(-64...64), standard: 0, "shift along y, in g or °/s"),
    Parameter("z", .number(-64...64), standard: 0, "shift along z, in g or °/s"),
    Parameter("enabled", .boolean, standard: true, "whether samples are shifted"),
  ]

  private static let exponent = ParameterType.integer(0...7)

  /// What can be done, with the arguments of each.
  static let actions: [VerbVariants.Branch] = [
    .init("fusion-reset-orientation", answers: "effective"),
    .init(
      "fusion-calibration",
      SensorCommand.Calibrated.allCases.map {
        Parameter(
          "\($0.rawValue)_block", .bytes(10...10), "as it was read")
      }, answers: "effective"),
    .init("steps-reset", answers: "effective"), .init("acceleration-offset", offset, answers: "effective"),
    .init("angular-velocity-offset", offset, answers: "effective"),
    .init(
      "axes",
      [Parameter("order", .text(3...6), required: true, "sources of x, y and z, such as xyz or yx-z")],
      answers: "effective"),
    .init(
      "downsampling",
      [
        Parameter("acceleration", exponent, standard: 0, "the rate is divided by 2 to the power of it"),
        Parameter("gyroscope", exponent, standard: 0, "the rate is divided by 2 to the power of it"),
      ], answers: "effective"),
  ]

  private static let actionParameter = Parameter(
    "do", .choice(actions.map(\.word)), required: true, "what to do")

  static let sensor = VerbDefinition(
    "sensor", .board, "Calibrates sensors, and sets their offsets and axes.", [actionParameter],
    furtherKeys: "the arguments of what is done", fork: VerbVariants(key: "do", branches: actions)
  ) { (arguments: JSONObject) throws(CommandFailure) in
    let own = JSONObject(arguments.members.filter { $0.key == "do" }.map { ($0.key, $0.value) })
    let name = try ArgumentValidation.validate(own, against: [actionParameter], of: "sensor").values["do"]?
      .string
    guard let action = actions.first(where: { $0.word == name }) else { throw .invalid("sensor needs do") }
    var rest = arguments
    rest["do"] = nil
    let keys = try ArgumentValidation.validate(
      rest, against: action.parameters, of: "sensor \(action.word)"
    ).values
    return .device(.sensor(try command(action.word, keys)))
  }
  .answering(
    [Parameter("effective", .anything("an object"), required: true, "what is in effect now")],
    by: [.readback, .linkWrite], failing: [.unsupported, .boardError],
    example: ["do": "fusion-reset-orientation"])

  private static func command(_ name: String, _ keys: JSONObject) throws(CommandFailure) -> SensorCommand {
    switch name {
    case "fusion-reset-orientation": return .resetOrientation
    case "steps-reset": return .resetSteps
    case "fusion-calibration": return .calibrate(try blocks(keys))
    case "axes": return .axes(keys["order"]?.string ?? "")
    case "downsampling":
      return .downsample(
        acceleration: Int(keys["acceleration"]?.integer ?? 0), gyroscope: Int(keys["gyroscope"]?.integer ?? 0)
      )
    default:
      return .shift(
        name == "acceleration-offset" ? .acceleration : .angularVelocity, x: keys["x"]?.number ?? 0,
        y: keys["y"]?.number ?? 0, z: keys["z"]?.number ?? 0, isOn: keys["enabled"]?.bool ?? true)
    }
  }

  private static func blocks(
    _ keys: JSONObject
  ) throws(CommandFailure) -> [SensorCommand.Calibrated: [UInt8]] {
    var blocks: [SensorCommand.Calibrated: [UInt8]] = [:]
    for sensor in SensorCommand.Calibrated.allCases {
      guard let text = keys["\(sensor.rawValue)_block"]?.string else { continue }
      guard let bytes = Hex.bytes(text), bytes.count == 10 else {
        throw .invalid("\(sensor.rawValue)_block must be ten bytes in hexadecimal digits")
      }
      blocks[sensor] = bytes
    }
    guard !blocks.isEmpty else { throw .invalid("sensor fusion-calibration needs at least one block") }
    return blocks
  }
}
