/// `settings` (MQTT contract 3.9).
enum SettingsVerb {
  /// The keys that profiles hold as well.
  static let parameters = [
    // Up to 26, so that what a board knows and Bluetooth cannot carry is refused with its reason.
    Parameter("name", .text(1...26), "name it advertises, up to 18 letters, digits, space, _ and -"),
    Parameter(
      "tx_dbm", .offered(BoardSettings.transmissionPowers.map(Double.init).sorted()), "transmission power"),
    Parameter(
      "advertising",
      .object([
        Parameter("interval_ms", .number(20...10_240), required: true, "advertising interval"),
        Parameter("timeout_s", .integer(0...180), standard: 0, "seconds until it stops; 0 = never"),
        Parameter("directed", .boolean, standard: false, "whether it advertises to one host only (directed)"),
      ]), "how it advertises"),
    Parameter(
      "connection",
      .object([
        Parameter("min_ms", .number(7.5...4_000), required: true, "shortest interval"),
        Parameter("max_ms", .number(7.5...4_000), required: true, "longest interval"),
        Parameter(
          "latency", .integer(0...499), standard: 0, "connection events it may skip (peripheral latency)"),
        Parameter("supervision_ms", .integer(100...32_000), required: true, "supervision time-out"),
      ]), "preferred connection parameters"),
    Parameter("scan_response", .bytes(0...31), "scan response: raw advertising structures"),
    Parameter("regulator_3v", .boolean, "supply for sensors on the pads"),
    Parameter("force_1m_phy", .boolean, "stay on the 1M PHY"),
    Parameter(
      "whitelist",
      .object([
        Parameter(
          "mode", .choice(BoardSettings.Whitelist.Mode.allCases.map(\.rawValue)), required: true,
          "what the list restricts"),
        Parameter("addresses", .list(of: .text(12...17), 0...8), required: true, "addresses on the list"),
      ]), "filter accept list; needs confirm"),
    Parameter("start_advertising", .boolean, "begin to advertise when all else is set"),
  ]

  private static let persistence = Parameter(
    "persist", .boolean, standard: false, "also keep it in a macro that the board runs at every start")

  static let settings = VerbDefinition(
    "settings", .board, "Changes how the board advertises and connects, until its next reset.",
    parameters + [persistence, VerbDefinition.confirmation(required: false)],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let settings = try read(arguments)
      guard settings != BoardSettings() else {
        throw .invalid("settings needs at least one of \(parameters.map(\.name).joined(separator: ", "))")
      }
      guard settings.whitelist == nil || arguments["confirm"] != nil else {
        throw .invalid("whitelist can lock out every host; add confirm with the board's id")
      }
      var declared = SettingsDeclaration()
      for parameter in parameters {
        if let value = arguments[parameter.name] { try declared.declare(parameter.name, value) }
      }
      return .device(
        .settings(
          SettingsCommand(settings, declared: declared, isPersistent: arguments["persist"]?.bool ?? false)))
    }
  )
  .answering(
    furtherResults: "the same keys, as they were read back", by: [.readback, .linkWrite],
    failing: [.unsupported, .boardError, .noSlots, .lowBattery],
    example: ["name": "Pump 3", "tx_dbm": 4, "advertising": ["interval_ms": 417]])

  /// Checks keys and completes them; as profiles hold them, without what the verb takes besides.
  static func check(
    _ keys: JSONObject
  ) throws(CommandFailure) -> (values: JSONObject, settings: BoardSettings) {
    let values = try ArgumentValidation.validate(keys, against: parameters, of: settings.name).values
    return (values, try read(values))
  }

  /// What checked keys mean.
  private static func read(_ keys: JSONObject) throws(CommandFailure) -> BoardSettings {
    var settings = BoardSettings()
    settings.name = try name(keys["name"]?.string)
    settings.transmissionPower = keys["tx_dbm"]?.integer.map { Int8(clamping: $0) }
    settings.advertising = keys["advertising"]?.object.map { keys in
      BoardSettings.Advertising(
        interval: keys["interval_ms"]?.number ?? 0,
        timeout: UInt8(clamping: keys["timeout_s"]?.integer ?? 0),
        isDirected: keys["directed"]?.bool ?? false)
    }
    if let keys = keys["connection"]?.object { settings.connection = try connection(keys) }
    settings.scanResponse = keys["scan_response"]?.string.flatMap(Hex.bytes)
    settings.regulator = keys["regulator_3v"]?.bool
    settings.forcesOneMegabit = keys["force_1m_phy"]?.bool
    if let keys = keys["whitelist"]?.object { settings.whitelist = try whitelist(keys) }
    settings.startsAdvertising = keys["start_advertising"]?.bool ?? false
    return settings
  }

  private static func name(_ text: String?) throws(CommandFailure) -> String? {
    guard let text else { return nil }
    let isAllowed = text.unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || $0.properties.numericType != nil
          || " _-".unicodeScalars.contains($0))
    }
    guard isAllowed else { throw .invalid("name must be of A-Z, a-z, 0-9, space, _ and -") }
    guard text.count <= 18 else {
      throw .invalid(
        "name has \(text.count) characters; a packet over Bluetooth carries 18, and a longer one can be given to the "
          + "board by USB only")
    }
    return text
  }

  private static func connection(_ keys: JSONObject) throws(CommandFailure) -> BoardSettings.Connection {
    let shortest = keys["min_ms"]?.number ?? 0
    let longest = keys["max_ms"]?.number ?? 0
    let latency = keys["latency"]?.integer ?? 0
    let supervision = keys["supervision_ms"]?.integer ?? 0
    guard shortest <= longest else { throw .invalid("min_ms must not be above max_ms") }
    let least = Double(1 + latency) * longest * 2
    guard Double(supervision) > least else {
      throw .invalid(
        "supervision_ms must be above (1 + latency) × max_ms × 2 = \(ParameterType.plain(least))")
    }
    return BoardSettings.Connection(
      interval: shortest...longest, latency: UInt16(clamping: latency), supervision: Int(supervision))
  }

  private static func whitelist(_ keys: JSONObject) throws(CommandFailure) -> BoardSettings.Whitelist {
    var addresses: [BluetoothAddress] = []
    for text in keys["addresses"]?.array?.compactMap(\.string) ?? [] {
      guard let address = BluetoothAddress(text) else {
        throw .invalid("addresses must be like E5:A1:C2:D3:F4:B6")
      }
      addresses.append(address)
    }
    return BoardSettings.Whitelist(
      mode: keys["mode"]?.string.flatMap(BoardSettings.Whitelist.Mode.init) ?? .any, addresses: addresses)
  }
}
