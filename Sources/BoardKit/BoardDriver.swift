public import FleetModel

/// What a driver made of one packet.
public enum PacketVerdict: Hashable, Sendable {
  /// Readings or events came of it.
  case taken
  /// It is well formed but nobody wants it: a subscription left over by an earlier session.
  case unwanted
  /// It cannot be read.
  case malformed
}

/// What a board reports by itself that is not a sample.
public enum BoardEvent: Hashable, Sendable {
  /// The button went down or up.
  case button(isPressed: Bool)
  /// Something the family knows by the catalogue's words: kind, type and further fields (MQTT contract 5).
  case happened(EventKind, String, JSONObject)
}

/// What comes out of decoding: readings and events, in buffers that are reused.
public struct DecodedPackets: Sendable {
  /// Samples, oldest first.
  public var readings = ReadingBuffer()
  /// Events with their arrival times.
  public var events: [(event: BoardEvent, time: Timestamp)] = []

  /// Empty buffers.
  public init() {}

  /// Empties the buffers and keeps their memory.
  public mutating func removeAll() {
    readings.removeAll()
    if !events.isEmpty { events.removeAll(keepingCapacity: true) }
  }
}

/// What an interview yields: the description, and what is worth remembering so that the next one is shorter.
public struct Interview: Hashable, Sendable {
  /// What the board is and can.
  public var description: BoardDescription
  /// The driver's own record for next time; opaque to all but the driver.
  public var memory: [UInt8]
  /// The board's reset count as the board numbers it; changes with each reset.
  public var resetID: Int
  /// When the board was started, by our clock, from its own uptime.
  public var bootTime: Timestamp

  /// Takes what was found out.
  public init(description: BoardDescription, memory: [UInt8], resetID: Int, bootTime: Timestamp) {
    self.description = description
    self.memory = memory
    self.resetID = resetID
    self.bootTime = bootTime
  }
}

/// A stream as it now runs on the board.
public struct ActiveStream: Hashable, Sendable {
  /// Which of the session's streams.
  public var key: StreamKey
  /// What was asked, with the values the board uses.
  public var request: StreamRequest
  /// Time between two samples; nil for streams that come when something happens.
  public var period: Duration?
  /// Whether the gateway must poll it with `read`, every `period` or, without one, by its schedule; the board does not
  /// notify it.
  public var isPolled: Bool

  /// Whether the period is kept exactly, so that missing samples can be counted by it.
  public var isRegular: Bool
  /// Whether the board may send nothing although it runs as configured.
  public var mayBeSilent: Bool
  /// What a sample holds; nil where the catalogue says so.
  public var fields: [StreamDefinition.Field]?
  /// What its stamps are taken from.
  public var stamps: ClockQuality.Source
  /// What speaks against its values, although they can be; empty where they are good.
  public var doubts: Set<QualityReason>

  /// Describes a running stream.
  public init(
    key: StreamKey, request: StreamRequest, period: Duration?, isPolled: Bool, isRegular: Bool = true,
    mayBeSilent: Bool = false, fields: [StreamDefinition.Field]? = nil,
    stamps: ClockQuality.Source = .arrival, doubts: Set<QualityReason> = []
  ) {
    self.key = key
    self.request = request
    self.period = period
    self.isPolled = isPolled
    self.isRegular = isRegular
    self.mayBeSilent = mayBeSilent
    self.fields = fields
    self.stamps = stamps
    self.doubts = doubts
  }

  /// Whether both are the same run of samples. What speaks against their values may change while it goes on.
  public func isSameRun(as other: ActiveStream) -> Bool {
    var one = self
    one.doubts = other.doubts
    return one == other
  }
}

/// Whether a new set of streams could be brought about.
public struct StreamsApplied: Hashable, Sendable {
  /// What runs now.
  public var active: [ActiveStream]
  /// What could not be had, and why.
  public var refused: [StreamKey: CommandFailure]
  /// How sure we are that the board runs as configured.
  public var evidence: Evidence

  /// Describes the result.
  public init(active: [ActiveStream], refused: [StreamKey: CommandFailure], evidence: Evidence) {
    self.active = active
    self.refused = refused
    self.evidence = evidence
  }
}

/// What came of bringing a board to its program.
public struct ProgramApplied: Hashable, Sendable {
  /// What was changed, in words: `process/activity added`.
  public var differences: [String]
  /// What could not be had, and why.
  public var refused: [ProgramKey: CommandFailure]
  /// What is logged now of what is wanted.
  public var logged: [LoggedStream]
  /// What cannot be logged, and why.
  public var refusedLogs: [String: CommandFailure]

  /// Describes the result.
  public init(
    differences: [String] = [], refused: [ProgramKey: CommandFailure] = [:], logged: [LoggedStream] = [],
    refusedLogs: [String: CommandFailure] = [:]
  ) {
    (self.differences, self.refused) = (differences, refused)
    (self.logged, self.refusedLogs) = (logged, refusedLogs)
  }
}

/// A board family's side of one link. Made for the link, confined to its session, gone with it.
///
/// Not `Sendable` on purpose: its asynchronous methods run on the session's actor.
public protocol BoardDriver: AnyObject {
  /// Finds out who is there. `memory` is what an earlier interview left, of the same or an older version.
  /// Leaves streams as they are.
  func interview(remembering memory: [UInt8]?) async throws(ProtocolFailure) -> Interview

  /// Takes the streams that earlier links left running, behind the interview and before the first `apply`; empty where
  /// nothing is known of the board.
  func recall(streams: [StreamRequest])

  /// What runs on the board for somebody else and would have to give way to these streams, in words. Asks before the
  /// first `apply` to a board of which nothing is known, and changes nothing.
  func conflicts(
    _ streams: [StreamKey: StreamRequest], button: Bool
  ) async throws(ProtocolFailure) -> [String]

  /// Brings the board to these streams: starts what is missing, reconfigures what differs, stops what was ours and is
  /// no longer wanted. What others started goes on unless it stands in the way; only its notifications end. What scales
  /// or times a value is read back before its first sample. A stream that is both active and refused delivers what the
  /// board holds, which is not what was asked. Where two exclude each other, the one with the lower key counts. Streams
  /// for the board's own chains run, but do not become active. `button` says whether button events are wanted.
  func apply(_ streams: [StreamKey: StreamRequest], button: Bool) async throws(ProtocolFailure)
    -> StreamsApplied

  /// Brings the board to exactly this program: makes what is missing, removes what is ours and no longer wanted, leaves
  /// what others made. What it holds already is not written again.
  func apply(_ program: BoardProgram) async throws(ProtocolFailure) -> ProgramApplied

  /// What the chains of the board yield, since the program was applied or a command changed it.
  var chains: [ChainStream] { get }

  /// Whether something in the board's program stops the sensor of this stream: its silence is no fault then.
  func isControlledOnDevice(_ stream: String) -> Bool

  /// What is worth remembering of the board's program for the next link; opaque to all but the driver.
  var programMemory: [UInt8] { get }

  /// Takes what an earlier link left, behind the interview and before the first `apply`. `isReset`: the board was reset
  /// since.
  func recall(program memory: [UInt8], isReset: Bool)

  /// How many slots of the board hold something of ours, by their names in the description's slots.
  var ownSlots: [String: Int] { get }

  /// Brings the board to these settings, each by itself. What it holds already is not written again; what it cannot
  /// report counts as applied where `trusted` names it. While `usesConservativeParameters`, what
  /// `requestConservativeParameters` changes is left alone.
  func apply(
    _ settings: SettingsDeclaration, trusting trusted: Set<String>, usesConservativeParameters: Bool
  ) async throws(ProtocolFailure) -> SettingsApplied

  /// Looks at all slots of the board, whoever filled them.
  func survey() async throws(ProtocolFailure) -> SlotUsage

  /// Asks once for something that every board answers; throws when it does not.
  func checkLiveness() async throws(ProtocolFailure)

  /// Forgets what the board is believed to run: the next `apply` stops everything and starts it anew.
  func invalidateCachedState()

  /// Whether `decode` met a stream that nobody asked for and that `endStaleSubscriptions` can end.
  var hasStaleSubscriptions: Bool { get }

  /// Switches off the streams that nobody asked for, as far as `decode` met any; data that are kept on the board are
  /// left alone.
  func endStaleSubscriptions() async throws(ProtocolFailure)

  /// Asks the board for a slower and sturdier link, where it can; for links that break again and again.
  func requestConservativeParameters() async throws(ProtocolFailure)

  /// Reads one readable stream once: a value for each of its fields.
  func read(_ stream: StreamRequest) async throws(CommandFailure) -> [Double]

  /// The board's log; nil of boards that have none, and before the interview.
  var logs: (any LogSource)? { get }

  /// Decodes one packet. Synchronous, cannot fail, cannot trap: the hot path.
  func decode(
    _ packet: RawSpan, from characteristic: Characteristic, at arrival: Timestamp,
    into decoded: inout DecodedPackets
  ) -> PacketVerdict

  /// Carries out one command. `unknown` is for what may have been done.
  func perform(_ intent: DeviceIntent) async -> CommandOutcome
}

extension BoardDriver {
  /// For families whose boards forget what they streamed when the link ends.
  public func recall(streams: [StreamRequest]) {}

  /// For families whose boards serve one host only.
  public func conflicts(
    _ streams: [StreamKey: StreamRequest], button: Bool
  ) async throws(ProtocolFailure) -> [String] { [] }

  /// For families whose boards leave their streams alone.
  public func isControlledOnDevice(_ stream: String) -> Bool { false }

  /// For families whose boards log nothing.
  public var logs: (any LogSource)? { nil }
}

/// How a family recognises its boards and makes drivers.
public struct FamilyDescriptor: Sendable {
  /// Name in `info.family`.
  public var name: String
  /// Services advertised by its boards.
  public var advertisedServices: [AttributeUUID]
  /// Whether an advertisement is of this family.
  public var recognises: @Sendable (AdvertisementReport) -> Bool
  /// Whether the advertisement is of a board that waits in its bootloader.
  public var isBootloader: @Sendable (AdvertisementReport) -> Bool
  /// Groups of characteristics: a link is usable when all of one group are there.
  public var requiredCharacteristics: [Set<Characteristic>]
  /// Characteristics whose notifications the driver wants; the session subscribes before the driver starts.
  public var notifications: [Characteristic]
  /// What the logs of its boards are made of; nil of boards that have none.
  public var logFormat: LogFormat?
  /// How its boards take new firmware; nil of boards that do not.
  public var bootloader: BootloaderFamily?
  /// Makes a driver for one link.
  public var makeDriver: @Sendable (Conversation) -> any BoardDriver

  /// Describes a family.
  public init(
    name: String, advertisedServices: [AttributeUUID],
    recognises: @escaping @Sendable (AdvertisementReport) -> Bool,
    isBootloader: @escaping @Sendable (AdvertisementReport) -> Bool,
    requiredCharacteristics: [Set<Characteristic>],
    notifications: [Characteristic], logFormat: LogFormat? = nil, bootloader: BootloaderFamily? = nil,
    makeDriver: @escaping @Sendable (Conversation) -> any BoardDriver
  ) {
    self.name = name
    self.advertisedServices = advertisedServices
    self.recognises = recognises
    self.isBootloader = isBootloader
    self.requiredCharacteristics = requiredCharacteristics
    self.notifications = notifications
    self.logFormat = logFormat
    self.bootloader = bootloader
    self.makeDriver = makeDriver
  }
}
