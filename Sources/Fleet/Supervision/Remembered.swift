import Dialects
import FleetModel
import Storage

/// What is kept of a board between runs, as JSON. What cannot be read any more counts as unknown.
enum Remembered {
  static func overlay(_ memory: BoardMemory) -> StreamOverlay {
    object(memory.overlay).map { StreamOverlay(document: $0) } ?? StreamOverlay()
  }

  static func program(_ memory: BoardMemory) -> ProgramOverlay {
    object(memory.overlay)?["program"]?.object.map { ProgramOverlay(document: $0) } ?? ProgramOverlay()
  }

  static func pins(_ memory: BoardMemory) -> PinOverlay {
    object(memory.overlay)?["pins"]?.object.map { PinOverlay(document: $0) } ?? PinOverlay()
  }

  static func settings(_ memory: BoardMemory) -> SettingsOverlay {
    object(memory.overlay)?["settings"]?.object.map { SettingsOverlay(document: $0) } ?? SettingsOverlay()
  }

  /// What is kept of the board's log and of contacts.
  static func logs(_ memory: BoardMemory) -> LogMemory {
    object(memory.overlay)?["logs"]?.object.map { LogMemory(document: $0) } ?? LogMemory()
  }

  /// What the board was known to hold.
  static func held(_ memory: BoardMemory) -> HeldSetup {
    object(memory.overlay)?["held"]?.object.map { HeldSetup(document: $0) } ?? HeldSetup()
  }

  /// When the board was last brought to something else.
  static func applied(_ memory: BoardMemory) -> Timestamp? {
    object(memory.overlay)?["applied_ms"]?.integer.map { Timestamp(milliseconds: $0) }
  }

  /// The profile that a verb chose.
  static func choice(_ memory: BoardMemory) -> ProfileChoice? {
    object(memory.overlay)?["profile"]?.object.flatMap { ProfileChoice(document: $0) }
  }

  /// Where the streams broke off when the gateway was killed: of each the earliest session that went on.
  static func ends(_ memory: BoardMemory) -> StreamEnds {
    StreamEnds(
      cutOff: Dictionary(
        memory.cutOff.map {
          ($0.stream, CutOff(session: $0.session, lastSample: $0.last, reason: .gatewayRestart))
        }, uniquingKeysWith: { first, _ in first }),
      lastStamp: Dictionary(memory.cutOff.map { ($0.stream, $0.last) }, uniquingKeysWith: max))
  }

  /// The driver's record of what of the program is on the board.
  static func programMemory(_ memory: BoardMemory) -> ProgramRecord {
    let document = object(memory.overlay)
    return ProgramRecord(
      bytes: document?["program_memory"]?.string.flatMap(Hex.bytes) ?? [],
      boot: document?["program_boot"]?.integer.map { Int(clamping: $0) })
  }

  /// What verbs changed, and what came of what is wanted; no bytes where there is nothing.
  static func bytes(
    _ streams: StreamOverlay, _ program: ProgramOverlay = ProgramOverlay(),
    _ settings: SettingsOverlay = SettingsOverlay(), pins: PinOverlay = PinOverlay(),
    held: HeldSetup = HeldSetup(), applied: Timestamp? = nil, choice: ProfileChoice? = nil,
    programMemory: ProgramRecord = ProgramRecord(), logs: LogMemory = LogMemory()
  ) -> [UInt8] {
    var document = streams.isEmpty ? JSONObject() : streams.document
    if !settings.isEmpty { document["settings"] = .object(settings.document) }
    if held != HeldSetup() { document["held"] = .object(held.document) }
    document["applied_ms"] = applied.map { .integer($0.milliseconds) }
    document["profile"] = choice.map { .object($0.document) }
    if !program.isEmpty { document["program"] = .object(program.document) }
    if logs != LogMemory() { document["logs"] = .object(logs.document) }
    if !pins.isEmpty { document["pins"] = .object(pins.document) }
    if !programMemory.bytes.isEmpty {
      document["program_memory"] = .string(Hex.string(programMemory.bytes))
      document["program_boot"] = programMemory.boot.map { .integer(Int64($0)) }
    }
    return document.isEmpty ? [] : JSONWriter.render(document)
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

  static func description(_ memory: BoardMemory) -> (description: BoardDescription, interviewed: Timestamp)? {
    guard let document = memory.description.flatMap(object), let time = document["interviewed_ms"]?.integer,
      let description = BoardDescription(document: document)
    else { return nil }
    return (description, Timestamp(milliseconds: time))
  }

  static func bytes(_ description: BoardDescription, interviewed: Timestamp) -> [UInt8] {
    var document = description.document
    document["interviewed_ms"] = .integer(interviewed.milliseconds)
    // Kept for as long as the board is: without the room that was needed to write it.
    return Array(JSONWriter.render(document)[...])
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    bytes.isEmpty ? nil : (try? StrictJSON.parse(bytes, limits: .trusting))?.object
  }
}
