/// How a board presents and connects itself (MQTT contract 3.9). What is nil stays as it is.
public struct BoardSettings: Hashable, Sendable {
  /// How it advertises.
  public struct Advertising: Hashable, Sendable {
    /// In milliseconds.
    public var interval: Double
    /// In seconds; 0 = for ever.
    public var timeout: UInt8
    /// Whether it calls one host alone.
    public var isDirected: Bool

    /// Wants it so.
    public init(interval: Double, timeout: UInt8 = 0, isDirected: Bool = false) {
      (self.interval, self.timeout, self.isDirected) = (interval, timeout, isDirected)
    }
  }

  /// What it asks of a central, which has the last word.
  public struct Connection: Hashable, Sendable {
    /// In milliseconds.
    public var interval: ClosedRange<Double>
    /// Exchanges it may sleep through.
    public var latency: UInt16
    /// In milliseconds.
    public var supervision: Int

    /// Wants it so.
    public init(interval: ClosedRange<Double>, latency: UInt16, supervision: Int) {
      (self.interval, self.latency, self.supervision) = (interval, latency, supervision)
    }
  }

  /// Whom it lets near.
  public struct Whitelist: Hashable, Sendable {
    /// Whom the list keeps away.
    public enum Mode: String, Sendable, CaseIterable { case any, scan, connect, both }
    /// Whom the list keeps away.
    public var mode: Mode
    /// At most eight.
    public var addresses: [BluetoothAddress]

    /// Wants it so.
    public init(mode: Mode, addresses: [BluetoothAddress]) { (self.mode, self.addresses) = (mode, addresses) }
  }

  /// 1–18 of `A-Z a-z 0-9 space _ -`.
  public var name: String?
  /// One of `transmissionPowers`, in dBm.
  public var transmissionPower: Int8?
  /// How it calls while it has no link.
  public var advertising: Advertising?
  /// How it wants its links.
  public var connection: Connection?
  /// At most 31 bytes of raw structures.
  public var scanResponse: [UInt8]?
  /// Whom it lets near.
  public var whitelist: Whitelist?
  /// The 3 V supply for sensors on the pads.
  public var regulator: Bool?
  /// Whether the link stays on the slow, robust radio mode.
  public var forcesOneMegabit: Bool?
  /// Whether it begins to advertise, when all else is set.
  public var startsAdvertising = false

  /// In dBm.
  public static let transmissionPowers: [Int8] = [4, 0, -4, -8, -12, -16, -20, -30]

  /// Leaves everything as it is.
  public init() {}
}
