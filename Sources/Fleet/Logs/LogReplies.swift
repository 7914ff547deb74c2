import BoardKit
import FleetModel
import Storage

/// What senders of log commands are answered (MQTT contract 3.5). Pure.
enum LogReplies {
  static func outcome(of end: DownloadResult) -> CommandOutcome {
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
          .internal, "the gateway's disk has no room for more; the rest stays on the board",
          data: download.data))
    case .interrupted(let download):
      .failed(
        CommandFailure(.internal, "the gateway is stopping; the rest stays on the board", data: download.data)
      )
    }
  }

  /// Why streams cannot be logged as desired; nil when nothing is in the way.
  static func refusal(of names: [String], _ plan: LogPlan) -> CommandFailure? {
    let waiting = plan.waiting.filter(names.contains)
    guard !waiting.isEmpty || plan.downloadsFirst else { return nil }
    let why = plan.downloadsFirst ? "the board" : waiting.joined(separator: ", ")
    return CommandFailure(
      .undownloadedData,
      "\(why) stores \(CountText.entries(plan.entries)) that could not be decoded after this change; download them first",
      data: ["entries": .integer(Int64(plan.entries))])
  }

  /// Why a log cannot be read out without erasing it; nil where it can, or only trying tells.
  static func refusal(ofKeeping plan: LogPlan) -> CommandFailure? {
    guard let page = plan.status.pageSize, plan.entries > page else { return nil }
    return erasureNotAllowed(
      "its log has \(CountText.entries(plan.entries)), in pages of \(page); nothing was read, and nothing erased"
    )
  }

  /// The board stopped at a page that it was not allowed to erase.
  static func refusal(needingErasure download: LogDownload) -> CommandFailure {
    erasureNotAllowed(
      "\(download.stored) of \(download.expected) entries were downloaded; nothing was erased")
  }

  /// The broker did not acknowledge a page in time.
  static func unpublished(_ download: LogDownload) -> CommandFailure {
    CommandFailure(
      .notPublished,
      "the broker did not acknowledge the downloaded entries within \(DurationText.format(PageErasure.publishTimeout)), so their page "
        + "stays on the board; the next visit continues")
  }

  private static func erasureNotAllowed(_ how: String) -> CommandFailure {
    CommandFailure(
      .unsupported,
      "the board sends the next page of its log only after the last one is erased, which is not allowed: \(how). "
        + "Allow it with clear=true, or with visit.clear of its profile")
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

  static func status(_ plan: LogPlan, _ streams: [LoggedStream]) -> JSONObject {
    let status = plan.status
    let loggers = streams.flatMap { stream in stream.slots.map { ($0, stream) } }.sorted { $0.0 < $1.0 }
    return [
      "logging": .bool(status.isLogging), "circular": .bool(status.isCircular),
      "entries": .integer(Int64(plan.entries)), "capacity": .integer(Int64(status.capacity)),
      "used_pct": .number(
        status.capacity > 0 ? (Double(plan.entries) / Double(status.capacity) * 100_000).rounded() / 1_000 : 0
      ),
      "boot": .integer(Int64(plan.boot)), "undownloaded": .integer(Int64(plan.undownloaded)),
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
  static func refusal(of discard: Int64?, _ plan: LogPlan) -> CommandFailure? {
    let entries = Int64(plan.entries)
    guard entries > 0, discard != entries, discard != nil || plan.undownloaded > 0 else { return nil }
    return CommandFailure(
      .undownloadedData,
      "the board stores \(CountText.entries(plan.entries)) not downloaded yet; download them, or send discard=\(entries)",
      data: ["entries": .integer(entries)])
  }
}

extension LogPlan {
  /// Entries on the board that are not known to be stored.
  var undownloaded: Int {
    guard let run, run.progress == .complete, !status.isLogging, !isRunOfEarlierBoot,
      entries <= run.stored
    else { return entries }
    return 0
  }
}
