/// What an interview found out about a board: what it is and what it can do.
public struct BoardDescription: Hashable, Sendable {
  /// One functional unit of the board's firmware, as its information reply describes it.
  public struct Module: Hashable, Sendable {
    /// The module's number on the wire.
    public var id: UInt8
    /// Whether the board has it; the other fields are empty when not.
    public var isPresent: Bool
    /// Which of several chips or generations.
    public var implementation: UInt8?
    /// Revision of its registers.
    public var revision: UInt8?
    /// Further bytes of the reply.
    public var extra: [UInt8]

    /// Describes one module.
    public init(id: UInt8, isPresent: Bool, implementation: UInt8?, revision: UInt8?, extra: [UInt8]) {
      self.id = id
      self.isPresent = isPresent
      self.implementation = implementation
      self.revision = revision
      self.extra = extra
    }
  }

  /// What the board's firmware has room for.
  public struct Slots: Hashable, Sendable {
    /// Numbers of entries; nil where the board did not say.
    public var loggers, processors, events, timers, macros, logEntries: Int?

    /// Takes what the board said.
    public init(
      loggers: Int? = nil, processors: Int? = nil, events: Int? = nil, timers: Int? = nil, macros: Int? = nil,
      logEntries: Int? = nil
    ) {
      self.loggers = loggers
      self.processors = processors
      self.events = events
      self.timers = timers
      self.macros = macros
      self.logEntries = logEntries
    }
  }

  /// A stream this very board can produce, with what it offers for each configuration key.
  public struct Stream: Hashable, Sendable {
    /// Name of the stream in the catalogue.
    public var name: String
    /// Configuration key → allowed values (array) or `{"min","max","step"}`.
    public var offers: JSONObject
    /// Whether this board can log it, where boards can at all.
    public var isLoggable: Bool

    /// Describes a stream on offer.
    public init(name: String, offers: JSONObject, isLoggable: Bool = true) {
      self.name = name
      self.offers = offers
      self.isLoggable = isLoggable
    }
  }

  /// `MetaMotion R`, `MetaMotion RL` or `MetaMotion S`.
  public var model: String
  /// Strings of the device information service.
  public var modelNumber, manufacturer, serialNumber, hardwareRevision, firmwareRevision: String
  /// Chip that measures motion: `bmi160`, `bmi270`.
  public var imu: String?
  /// Modules by the contract's names (MQTT contract 1.1).
  public var modules: [String: Module]
  /// Room for programs and log entries.
  public var slots: Slots
  /// Streams on offer, in catalogue order.
  public var streams: [Stream]

  /// Takes what the interview found.
  public init(
    model: String, modelNumber: String, manufacturer: String, serialNumber: String, hardwareRevision: String,
    firmwareRevision: String, imu: String?, modules: [String: Module], slots: Slots, streams: [Stream]
  ) {
    self.model = model
    self.modelNumber = modelNumber
    self.manufacturer = manufacturer
    self.serialNumber = serialNumber
    self.hardwareRevision = hardwareRevision
    self.firmwareRevision = firmwareRevision
    self.imu = imu
    self.modules = modules
    self.slots = slots
    self.streams = streams
  }
}
