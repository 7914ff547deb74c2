/// A stream as the contract declares it: its name, what each sample holds, how it can be had and configured.
public struct StreamDefinition: Sendable {
  /// One value of a sample.
  public struct Field: Hashable, Sendable {
    /// What kind of number it is on the wire.
    public enum Kind: String, Sendable { case number, integer, flag }

    /// Key in payloads, unit included (`ax_g`).
    public let name: String
    /// The unit in words of physics; empty when there is none.
    public let unit: String
    /// Kind of number.
    public let kind: Kind
    /// Digits after the point that are written.
    public let decimals: Int
    /// What can be measured at all; nil where any finite number can. NaN and infinities never can.
    public let possible: ClosedRange<Double>?
    /// Whether a packet cannot even carry anything outside `possible`, so that nobody has to look.
    public let isKeptByPacket: Bool

    /// Declares a field.
    public init(
      _ name: String, _ unit: String, _ kind: Kind = .number, decimals: Int = 0,
      possible: ClosedRange<Double>? = nil, isKeptByPacket: Bool = false
    ) {
      self.name = name
      self.unit = unit
      self.kind = kind
      self.decimals = decimals
      self.possible = possible
      self.isKeptByPacket = isKeptByPacket
    }
  }

  /// Where the values come out.
  public enum Outlet: String, Sendable { case stream, event }

  /// The name in topics and configurations.
  public let name: String
  /// What a sample holds, in order.
  public let fields: [Field]
  /// The module it comes from, by the contract's name.
  public let module: String
  /// Samples on the lanes, or events.
  public let outlet: Outlet
  /// Whether the board notifies it by itself.
  public let isNotified: Bool
  /// Whether the board can log it.
  public let isLoggable: Bool
  /// Whether it can be read on demand, hence polled.
  public let isReadable: Bool
  /// Suffixes of its one-field streams (`x`, `y`, `z`), for the first of `fields`; empty when it has none.
  public let components: [String]
  /// Entries in the board's log per sample; nil when it cannot be logged.
  public let logEntries: Int?
  /// Configuration keys of its own; the common ones are added by `parameters`.
  public let ownParameters: [Parameter]
  /// How long the vector of all fields can be; nil where nothing is known of it.
  public let possibleLength: ClosedRange<Double>?

  init(
    name: String, fields: [Field], module: String, outlet: Outlet = .stream, isNotified: Bool = false,
    isReadable: Bool = false, components: [String] = [], logEntries: Int?, ownParameters: [Parameter] = [],
    possibleLength: ClosedRange<Double>? = nil
  ) {
    self.name = name
    self.fields = fields
    self.module = module
    self.outlet = outlet
    self.isNotified = isNotified
    isLoggable = logEntries != nil
    self.isReadable = isReadable
    self.components = components
    self.logEntries = logEntries
    self.ownParameters = ownParameters
    self.possibleLength = possibleLength
  }

  /// `streamable` of the catalogue: notified or polled.
  public var isStreamable: Bool { isNotified || isReadable }

  /// What is read more often than this is no poll.
  static let leastPollPeriod = Duration.milliseconds(100)

  /// All configuration keys in a `stream:` entry or a `stream-start`.
  public var parameters: [Parameter] {
    var all = ownParameters
    if isReadable {
      all.append(
        readTimes(
          ScheduleKeys.rules(atLeast: Self.leastPollPeriod), "when it is read: the gateway polls"))
    }
    if outlet == .stream { all += Self.laneParameters }
    return all
  }

  /// When it is read, as it may be said.
  func readTimes(_ type: ParameterType, _ summary: String) -> Parameter {
    Parameter("every", type, standard: isNotified ? nil : "60s", summary)
  }

  /// Keys that say what the gateway does with the samples; the board never sees them.
  public static let laneParameters = [
    Parameter("live_rate_hz", .number(0...50), "cap of the live lane; 0 = no live lane"),
    Parameter("record", .boolean, standard: true, "whether samples go to the record lane"),
  ]

  /// Checks a configuration of this stream: unknown keys, values off the list and wrong types are `invalid`;
  /// defaults are filled in.
  public func configure(
    _ configuration: JSONObject, acceptNearest: Bool = false
  ) throws(CommandFailure) -> ValidArguments {
    try ArgumentValidation.validate(
      configuration, against: parameters, of: name, acceptNearest: acceptNearest)
  }
}
