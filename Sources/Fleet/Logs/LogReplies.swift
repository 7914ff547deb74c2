import BoardKit
import FleetModel
import Storage

/// What senders of log commands are told (MQTT contract 3.5). Pure.
enum LogReplies {
  static func outcome(of end: DownloadEnd) -> CommandOutcome {
    switch end {
    case .failed(let failure): .failed(failure)
    case .over(let download) where download.isComplete: .done(evidence: .readback, data: download.data)
    case .over(let download):
      .failed(CommandFailure(.boardError, download.shortfall, data: download.data))
    case .refused(let download, let failure):
      .failed(CommandFailure(failure.code, failure.message, data: download.data))
    case .notKept(let download):
      .failed(
        CommandFailure(
          .internal, "the gateway cannot store more of it; the rest stays on the board", data: download.data))
    case .interrupted(let download):
      .failed(
        CommandFailure(.internal, "the gateway stops; the rest stays on the board", data: download.data))
    }
  }

  /// Why streams cannot be logged as told; nil when nothing is in the way.
  static func refusal(of names: [String], _ duty: LogDuty) -> CommandFailure? {
    let waiting = duty.waiting.filter(names.contains)
    guard !waiting.isEmpty || duty.downloadsFirst else { return nil }
    let why = duty.downloadsFirst ? "the board" : waiting.joined(separator: ", ")
    return CommandFailure(
      .undownloadedData,
      "\(why) holds \(duty.entries) entries that would be misread once it logs otherwise; download them first",
      data: ["entries": .integer(Int64(duty.entries))])
  }

  /// Why a log cannot be read out without erasing it; nil where it can, or only trying tells.
  static func refusal(ofKeeping duty: LogDuty) -> CommandFailure? {
    guard let page = duty.status.pageSize, duty.entries > page else { return nil }
    return heldBack(
      "its log holds \(duty.entries), in pages of \(page); nothing was read, and nothing erased")
  }

  /// The board stopped at a page that it was not allowed to erase.
  static func refusal(ofHeld download: LogDownload) -> CommandFailure {
    heldBack("\(download.stored) of \(download.expected) entries came and are kept; nothing was erased")
  }

  /// The broker did not acknowledge a page in time.
  static func unpublished(_ download: LogDownload) -> CommandFailure {
    CommandFailure(
      .notPublished,
      "the broker did not acknowledge what came within \(DurationText.format(PageRelease.patience)), so that its page "
        + "stays on the board; the next visit goes on")
  }

  private static func heldBack(_ how: String) -> CommandFailure {
    CommandFailure(
      .unsupported,
      "the board hands out the next page of its log only when the last is erased, which was not allowed: \(how). "
        + "clear: true, or visit.clear of its profile, allows it")
  }

  static func started(
    _ streams: [LoggedStream], all: [String: StreamRequest], of run: LogSession, _ status: LogStatus,
    _ adjusted: [String]
  ) -> JSONObject {
    var data: JSONObject = [
      "loggers": .object(
        JSONObject(streams.map { ($0.name, .array($0.slots.map { .integer(Int64($0)) })) })),
      "session": .string(run.id.description),
    ]
    if let rate = LogEstimate.rate(of: all), rate > 0 {
      data["capacity_s"] = .integer(Int64(Double(status.capacity) / rate))
    }
    data["config"] = .object(JSONObject(streams.map { ($0.name, .object($0.configuration)) }))
    data["adjusted"] = .array(adjusted.map { .string($0) })
    return data
  }

  static func status(_ duty: LogDuty, _ streams: [LoggedStream]) -> JSONObject {
    let status = duty.status
    let loggers = streams.flatMap { stream in stream.slots.map { ($0, stream) } }.sorted { $0.0 < $1.0 }
    return [
      "logging": .bool(status.isLogging), "circular": .bool(status.isCircular),
      "entries": .integer(Int64(duty.entries)), "capacity": .integer(Int64(status.capacity)),
      "used_pct": .number(
        status.capacity > 0 ? (Double(duty.entries) / Double(status.capacity) * 100_000).rounded() / 1_000 : 0
      ),
      "boot": .integer(Int64(duty.boot)), "undownloaded": .integer(Int64(duty.undownloaded)),
      "loggers": .array(
        loggers.map { slot, stream in
          [
            "slot": .integer(Int64(slot)), "stream": .string(stream.name),
            "owner": stream.isOurs ? "ours" : "foreign",
          ]
        }),
    ]
  }

  /// Why a log may not be erased; nil when nothing is lost, or exactly what the sender gave up.
  static func refusal(of discard: Int64?, _ duty: LogDuty) -> CommandFailure? {
    let entries = Int64(duty.entries)
    guard entries > 0, discard != entries, discard != nil || duty.undownloaded > 0 else { return nil }
    return CommandFailure(
      .undownloadedData,
      "the board holds \(entries) entries; download them, or discard exactly \(entries)",
      data: ["entries": .integer(entries)])
  }
}

extension LogDuty {
  /// Entries on the board that are not known to be stored.
  var undownloaded: Int {
    guard let run, run.progress == .complete, !status.isLogging, !isRunOfEarlierBoot,
      entries <= run.stored
    else { return entries }
    return 0
  }
}
