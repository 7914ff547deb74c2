public import FleetModel

/// What a board in its bootloader says of itself: enough to bring firmware to it without any memory of it.
public struct BootloaderDescription: Hashable, Sendable {
  /// Strings of the device information service; the hardware revision without its `r`.
  public var serialNumber, modelNumber, hardwareRevision: String
  /// Of the bootloader: the same string that is the application's version while an application runs.
  public var version: String

  /// Takes what the board said.
  public init(serialNumber: String, modelNumber: String, hardwareRevision: String, version: String) {
    self.serialNumber = serialNumber
    self.modelNumber = modelNumber
    self.hardwareRevision = hardwareRevision
    self.version = version
  }
}

/// For which boards firmware is looked for. Nothing is ever offered across one of the three.
public struct FirmwareRecipient: Hashable, Sendable {
  /// Model number and hardware revision, the latter without its `r`.
  public var modelNumber, hardwareRevision: String
  /// Flavour of the build, such as `vanilla`; nil where nobody knows, which is the vendor's own.
  public var build: String?

  /// Names boards.
  public init(modelNumber: String, hardwareRevision: String, build: String? = nil) {
    self.modelNumber = modelNumber
    self.hardwareRevision = hardwareRevision
    self.build = build
  }
}

/// One image that a bootloader takes, with all that goes with it, checked. What is in it is the family's business.
public protocol InstallableImage: Sendable {
  /// What the board says it has once the image runs.
  var version: String { get }
  /// Whether it is an application, and no part of the bootloader.
  var isApplication: Bool { get }
  /// Bytes that are transferred.
  var size: Int { get }
}

/// Everything that an update needs, checked and at hand: nothing is fetched once it began.
public protocol FirmwareInstallation: Sendable {
  /// What the board says it has when the update is done.
  var version: String { get }
  /// SHA-256 of the package, 64 hexadecimal digits.
  var sum: String { get }

  /// What brings a board there, in this order. The last is the application; what comes before makes the bootloader new
  /// enough for it. Throws why the board cannot have it, with what to do.
  func images(for board: BootloaderDescription) throws(CommandFailure) -> [any InstallableImage]
}

/// How far a transfer has come.
public struct TransferProgress: Hashable, Sendable {
  /// Bytes that the board has received, of so many.
  public var sent, total: Int

  /// States progress.
  public init(sent: Int, total: Int) { (self.sent, self.total) = (sent, total) }
}

/// Why an image did not come to run.
public struct TransferFailure: Error, Hashable, Sendable {
  /// What helps.
  public enum Kind: Hashable, Sendable {
    /// The same once more, from the beginning.
    case again
    /// The same with fewer packets on the way.
    case slower
    /// An earlier transfer was still open: the bootloader was restarted and waits for a new one.
    case leftOver
    /// Nothing: the bootloader refuses this image.
    case refused
  }

  /// What helps.
  public var kind: Kind
  /// One sentence for a person.
  public var message: String

  /// States a failure.
  public init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}

/// A board family's side of one link to a board in its bootloader. Made for the link and gone with it.
///
/// Not `Sendable` on purpose: its asynchronous methods run on the session's actor.
public protocol BootloaderDriver: AnyObject {
  /// Finds out who is there; changes nothing.
  func identify() async throws(ProtocolFailure) -> BootloaderDescription

  /// Brings an image to the board and has it run, which ends the link. At most `window` packets are on the way at a
  /// time. From its first write on the board may be without an application.
  func install(
    _ image: any InstallableImage, window: Int, progress: (TransferProgress) async -> Void
  ) async throws(TransferFailure)

  /// Restarts the board, which ends the link: into its application where that is whole.
  func leave() async throws(ProtocolFailure)

  /// Takes one packet. Synchronous, cannot fail, cannot trap.
  func received(_ packet: RawSpan, from characteristic: Characteristic)
}

/// How a family's boards take new firmware.
public struct BootloaderFamily: Sendable {
  /// What is there on a link to a board in its bootloader, and on no other.
  public var requiredCharacteristics: Set<Characteristic>
  /// Characteristics whose notifications the driver wants; the session subscribes before the driver starts.
  public var notifications: [Characteristic]
  /// How many packets may be on the way at a time, the usual number first; each further one for a board that could not
  /// follow.
  public var windows: [Int]
  /// Which boards may be meant by an address that a bootloader advertises: some have one of their own there.
  public var owners: @Sendable (_ bootloader: BoardID) -> [BoardID]
  /// Makes a driver for one link.
  public var makeDriver: @Sendable (Conversation) -> any BootloaderDriver

  /// Describes how firmware is taken.
  public init(
    requiredCharacteristics: Set<Characteristic>, notifications: [Characteristic], windows: [Int],
    owners: @escaping @Sendable (_ bootloader: BoardID) -> [BoardID],
    makeDriver: @escaping @Sendable (Conversation) -> any BootloaderDriver
  ) {
    self.requiredCharacteristics = requiredCharacteristics
    self.notifications = notifications
    self.windows = windows
    self.owners = owners
    self.makeDriver = makeDriver
  }
}
