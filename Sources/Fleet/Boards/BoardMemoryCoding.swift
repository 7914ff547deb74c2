import Dialects
import FleetModel
import Storage

/// What is kept of a board between runs besides its setup, as JSON. What cannot be read any more counts as unknown.
enum BoardMemoryCoding {
  /// Where the streams broke off when the gateway was killed: of each the earliest session that went on.
  static func ends(_ memory: BoardMemory) -> StreamEnds {
    StreamEnds(
      cutOff: Dictionary(
        memory.cutOff.map {
          (
            $0.stream,
            StreamInterruption(
              session: $0.session, lastSample: $0.last, told: $0.told, reason: .gatewayRestart)
          )
        }, uniquingKeysWith: { first, _ in first }),
      lastStamp: Dictionary(memory.cutOff.map { ($0.stream, $0.last) }, uniquingKeysWith: max))
  }

  static func led(_ memory: BoardMemory) -> LEDState? {
    guard let document = memory.led.flatMap(object), let time = document["ts_ms"]?.integer else { return nil }
    var appearance: LEDAppearance?
    if let red = document["r"]?.integer, let green = document["g"]?.integer,
      let blue = document["b"]?.integer,
      let brightness = document["brightness"]?.integer, let effect = document["effect"]?.string
    {
      appearance = LEDAppearance(
        color: LEDColor(
          red: UInt8(clamping: red), green: UInt8(clamping: green), blue: UInt8(clamping: blue)),
        brightness: UInt8(clamping: brightness), effect: effect)
    }
    return LEDState(
      appearance: appearance, until: document["until_ms"]?.integer.map { Timestamp(milliseconds: $0) },
      time: Timestamp(milliseconds: time))
  }

  static func bytes(_ led: LEDState) -> [UInt8] {
    var document: JSONObject = ["ts_ms": .integer(led.time.milliseconds)]
    document["until_ms"] = led.until.map { .integer($0.milliseconds) }
    if let appearance = led.appearance {
      document["r"] = .integer(Int64(appearance.color.red))
      document["g"] = .integer(Int64(appearance.color.green))
      document["b"] = .integer(Int64(appearance.color.blue))
      document["brightness"] = .integer(Int64(appearance.brightness))
      document["effect"] = .string(appearance.effect)
    }
    return JSONWriter.render(document)
  }

  /// What the last interview found, and what is known of the board that answered.
  struct Interview {
    var description: BoardDescription
    var interviewed: Timestamp
    /// Which board was there before another one answered.
    var earlier: HardwareIdentity?
    var firmware: BoardFirmware
  }

  static func description(_ memory: BoardMemory) -> Interview? {
    guard let document = memory.description.flatMap(object), let time = document["interviewed_ms"]?.integer,
      let description = BoardDescription(document: document)
    else { return nil }
    return Interview(
      description: description, interviewed: Timestamp(milliseconds: time),
      earlier: document["earlier"]?.object.map { HardwareIdentity(document: $0) },
      firmware: BoardFirmware(document: document["firmware"]?.object ?? JSONObject()))
  }

  /// What is kept of a board that has answered; nil of others.
  static func description(of status: BoardStatus) -> [UInt8]? {
    guard let description = status.identity.description, let interviewed = status.identity.interviewed else {
      return nil
    }
    return bytes(
      Interview(
        description: description, interviewed: interviewed, earlier: status.identity.earlier,
        firmware: status.firmware))
  }

  static func bytes(_ interview: Interview) -> [UInt8] {
    var document = interview.description.document
    document["earlier"] = interview.earlier.map { .object($0.document) }
    let firmware = interview.firmware.document
    if !firmware.isEmpty { document["firmware"] = .object(firmware) }
    document["interviewed_ms"] = .integer(interview.interviewed.milliseconds)
    // Kept for as long as the board is: without the room that was needed to write it.
    return Array(JSONWriter.render(document)[...])
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    bytes.isEmpty ? nil : (try? StrictJSON.parse(bytes, limits: .trusting))?.object
  }
}
