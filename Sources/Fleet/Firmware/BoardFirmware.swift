import BoardKit
import FleetModel

/// What is known of a board's firmware, and which newer builds of it were announced. Pure.
struct BoardFirmware: Hashable, Sendable {
  /// As it was published last; nil before the first.
  private(set) var report: FirmwareReport?
  /// Whether the last index that was asked lists the board's hardware.
  private(set) var isHardwareListed: Bool?
  /// How far an update has come, or how the last one ended.
  private(set) var progress = FirmwareReport.Progress(.idle)
  /// Who answered last in its bootloader.
  private(set) var bootloader: BootloaderDescription?
  /// Newer builds that were announced by an event, the oldest first.
  private(set) var announced: [String] = []

  /// How many announcements are kept. An index goes back to an older build when the newest is withdrawn, which is rare.
  private static let mostAnnounced = 8

  /// What follows from a report.
  struct Change: Hashable, Sendable {
    /// The document says something else.
    var isOther = false
    /// The event where a newer build was found for the first time.
    var draft: EventDraft?
    /// What outlives the process is not what it was.
    var isToBeKept = false
  }

  /// Takes what an index says by now. The same build is announced once, whatever came in between.
  mutating func take(_ new: FirmwareReport) -> Change {
    var new = new
    new.progress = progress
    var before = report
    before?.time = new.time
    guard before != new else { return Change() }
    let kept = document
    report = new
    isHardwareListed = new.offer?.isHardwareListed ?? isHardwareListed
    return Change(isOther: true, draft: announce(new), isToBeKept: document != kept)
  }

  /// Takes how far an update has come. Returns whether that says anything else.
  mutating func take(_ new: FirmwareReport.Progress) -> Bool {
    guard progress != new else { return false }
    progress = new
    return true
  }

  /// A bootloader answered.
  mutating func found(_ new: BootloaderDescription) { bootloader = new }

  private mutating func announce(_ report: FirmwareReport) -> EventDraft? {
    guard report.isUpdateAvailable, let latest = report.offer?.latest, !announced.contains(latest) else {
      return nil
    }
    announced = (announced + [latest]).suffix(Self.mostAnnounced)
    return EventDraft(
      .firmware, "available",
      fields: ["installed_version": .string(report.installed), "latest_version": .string(latest)])
  }

  /// Whether something newer is waiting for the board.
  var isOutdated: Bool { report?.isUpdateAvailable ?? false }
}

/// What outlives the process.
extension BoardFirmware {
  /// Reads what `document` wrote; what cannot be read counts as unknown.
  init(document: JSONObject) {
    announced = (document["announced"]?.array ?? []).compactMap(\.string).suffix(Self.mostAnnounced)
    isHardwareListed = document["hardware_listed"]?.bool
    if let version = document["bootloader_version"]?.string, let model = document["model_id"]?.string,
      let hardware = document["hw"]?.string
    {
      bootloader = BootloaderDescription(
        serialNumber: document["serial"]?.string ?? "", modelNumber: model, hardwareRevision: hardware,
        version: version)
    }
  }

  /// Empty where nothing is known.
  var document: JSONObject {
    var document = JSONObject()
    if !announced.isEmpty { document["announced"] = .array(announced.map { .string($0) }) }
    document["hardware_listed"] = isHardwareListed.map { .bool($0) }
    if let bootloader {
      document["bootloader_version"] = .string(bootloader.version)
      document["model_id"] = .string(bootloader.modelNumber)
      document["hw"] = .string(bootloader.hardwareRevision)
      document["serial"] = .string(bootloader.serialNumber)
    }
    return document
  }
}
