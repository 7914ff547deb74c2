/// Something that a board does by itself when it is triggered (MQTT contract 3.6).
public struct BoardAction: Hashable, Sendable {
  /// What is done.
  public enum Command: Hashable, Sendable {
    case led(LEDCommand)
    case haptic(HapticCommand)
    case pin(PinCommand)
    /// A read delivers to the host, and to processors, or to loggers alone.
    case bus(BusCommand, forLog: Bool)
    case beacon(BeaconCommand)
    case read(ReadRequest, forLog: Bool)
    case logging(Bool)
    /// Power and sampling of a configured stream's sensor.
    case stream(String, isOn: Bool)
    case timer(String, isOn: Bool)
    case macro(String)
    case processor(ProcessorChange)
    case settings(BoardSettings)
    /// Makes one more reaction.
    case bindEvent(String, BoardProgram.Event)
    /// Only of a macro that runs at start: which slot the board gives is not known otherwise.
    case createTimer(String, BoardProgram.Timer)
    case createChain(String, Chain)
    case reset
    case disconnect
    /// Powers the board down until its button is pressed.
    case sleep
    case raw([UInt8])
  }

  /// Copies bytes of the triggering signal into a packet.
  public struct Token: Hashable, Sendable {
    /// Where they begin in the signal, 0–15.
    public var offset: UInt8
    /// 1–7.
    public var length: UInt8
    /// Where they go in the packet's parameters, 0–17.
    public var destination: UInt8
    /// Which of the packets.
    public var packet: Int

    /// Copies `length` bytes.
    public init(length: UInt8, offset: UInt8 = 0, destination: UInt8 = 0, packet: Int = 0) {
      (self.length, self.offset, self.destination, self.packet) = (length, offset, destination, packet)
    }
  }

  /// What is done.
  public var command: Command
  /// What of the trigger is copied into it.
  public var token: Token?

  /// Does `command`.
  public init(_ command: Command, token: Token? = nil) { (self.command, self.token) = (command, token) }
}

/// Changes what a processor of a chain does or keeps (MQTT contract 3.8).
public struct ProcessorChange: Hashable, Sendable {
  /// What changes.
  public enum Change: Hashable, Sendable {
    /// New parameters of the type that is there.
    case parameters(JSONObject)
    /// What it keeps, in the unit of its output.
    case state(Double)
    case reset
  }

  /// Name of the chain.
  public var chain: String
  /// Place of the step; negative ones count from the end.
  public var step: Int
  /// What changes.
  public var change: Change

  /// Changes one step of `chain`.
  public init(chain: String, step: Int = -1, _ change: Change) {
    (self.chain, self.step, self.change) = (chain, step, change)
  }
}
