/// What the board's pins carry: a family of streams, four for each pin (MQTT contract 2.2).
public enum PinStreams {
  /// What can be known of a pin.
  public enum Kind: String, Sendable, CaseIterable {
    case adc, voltage, digital, change
  }

  /// Pins that have streams; boards have at most as many.
  public static let pins = 0..<16

  /// `gpio-<pin>-<kind>`.
  public static func name(_ pin: Int, _ kind: Kind) -> String { "gpio-\(pin)-\(kind.rawValue)" }

  /// Pin and kind of a stream's name; nil for a name of anything else.
  public static func parse(_ name: String) -> (pin: Int, kind: Kind)? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "gpio", let pin = Int(parts[1]), pins.contains(pin),
      "\(pin)" == parts[1], let kind = Kind(rawValue: String(parts[2]))
    else { return nil }
    return (pin, kind)
  }

  static func stream(named name: String) -> StreamDefinition? {
    guard let (_, kind) = parse(name) else { return nil }
    // The ADC has 10 bits (protocol reference, section 11); no pin bears more than the supply of 3.6 V (nRF52).
    let field: StreamDefinition.Field
    let parameters: [Parameter]
    switch kind {
    case .adc: (field, parameters) = (.init("adc_counts", "", .integer, possible: 0...1_023), analog)
    case .voltage: (field, parameters) = (.init("voltage_mv", "mV", .integer, possible: 0...3_900), analog)
    case .digital: (field, parameters) = (.init("level", "", .flag, possible: 0...1), [pull])
    case .change: (field, parameters) = (.init("level", "", .flag, possible: 0...1), [edge, pull])
    }
    return StreamDefinition(
      name: name, fields: [field], module: "gpio", isNotified: kind == .change,
      isReadable: kind != .change, logEntries: 1, ownParameters: parameters)
  }

  /// What an analog reading can be prepared with; the verb `read` takes the same.
  static let analog = [
    Parameter("pull_up_pin", .integer(0...255), "pin that is pulled up while reading"),
    Parameter("pull_down_pin", .integer(0...255), "pin that is pulled down while reading"),
    Parameter("delay_us", .integer(0...1020), standard: 0, "pause before reading, in steps of 4"),
    Parameter("virtual_pin", .integer(0...255), "number under which the board answers"),
  ]

  private static let pull = Parameter(
    "pull", .choice(["up", "down", "none"]), standard: "none", "resistor at the pin")
  private static let edge = Parameter(
    "edge", .choice(["rising", "falling", "any"]), standard: "any", "which changes count")
}
