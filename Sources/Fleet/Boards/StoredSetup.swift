import Dialects
import FleetModel
import Storage

/// What is kept of a board's setup, its log and its contacts between runs, as one JSON document. What cannot be read
/// any more counts as unknown.
struct StoredSetup: Hashable, Sendable {
  /// What verbs changed.
  var overlay = SetupOverlay()
  /// What the board was known to have applied.
  var reportedSetup = ReportedSetup()
  /// When it was last brought to something else.
  var applied: Timestamp?
  /// The profile that a verb chose.
  var choice: ProfileChoice?
  /// The driver's record of what of the program is on the board.
  var program = ProgramRecord()
  /// What is kept of the board's log and of contacts.
  var logs = StoredLogState()
  /// While it is being worked on.
  var maintenance: Maintenance?
}

extension StoredSetup {
  /// Reads what was kept; nothing where there is nothing.
  init(_ bytes: [UInt8]) {
    guard !bytes.isEmpty,
      let document = (try? StrictJSON.parse(bytes, limits: .trusting))?.object
    else { return }
    overlay = SetupOverlay(
      streams: StreamOverlay(document: document),
      logs: document["logs"]?.object?["overlay"]?.object.map { LogOverlay(document: $0) } ?? LogOverlay(),
      program: document["program"]?.object.map { ProgramOverlay(document: $0) } ?? ProgramOverlay(),
      settings: document["settings"]?.object.map { SettingsOverlay(document: $0) } ?? SettingsOverlay(),
      pins: document["pins"]?.object.map { PinOverlay(document: $0) } ?? PinOverlay())
    reportedSetup = document["held"]?.object.map { ReportedSetup(document: $0) } ?? ReportedSetup()
    applied = document["applied_ms"]?.integer.map { Timestamp(milliseconds: $0) }
    choice = document["profile"]?.object.flatMap { ProfileChoice(document: $0) }
    program = ProgramRecord(
      bytes: document["program_memory"]?.string.flatMap(Hex.bytes) ?? [],
      boot: document["program_boot"]?.integer.map { Int(clamping: $0) })
    logs = document["logs"]?.object.map { StoredLogState(document: $0) } ?? StoredLogState()
    maintenance = document["maintenance"]?.object.flatMap { Maintenance(document: $0) }
  }

  /// As kept on disk; no bytes where there is nothing.
  var bytes: [UInt8] {
    var document = overlay.streams.isEmpty ? JSONObject() : overlay.streams.document
    if !overlay.settings.isEmpty { document["settings"] = .object(overlay.settings.document) }
    if reportedSetup != ReportedSetup() { document["held"] = .object(reportedSetup.document) }
    document["applied_ms"] = applied.map { .integer($0.milliseconds) }
    document["profile"] = choice.map { .object($0.document) }
    if !overlay.program.isEmpty { document["program"] = .object(overlay.program.document) }
    var logs = logs.document
    if !overlay.logs.isEmpty { logs["overlay"] = .object(overlay.logs.document) }
    if !logs.isEmpty { document["logs"] = .object(logs) }
    document["maintenance"] = maintenance.map { .object($0.fields) }
    if !overlay.pins.isEmpty { document["pins"] = .object(overlay.pins.document) }
    if !program.bytes.isEmpty {
      document["program_memory"] = .string(Hex.string(program.bytes))
      document["program_boot"] = program.boot.map { .integer(Int64($0)) }
    }
    return document.isEmpty ? [] : JSONWriter.render(document)
  }
}
