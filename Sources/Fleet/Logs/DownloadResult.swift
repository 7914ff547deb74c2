import BoardKit
import FleetModel

/// How a download ended.
enum DownloadResult: Hashable, Sendable {
  /// The board was asked for all that it has.
  case over(LogDownload)
  /// The store took no more; nothing was confirmed from then on (fault F90).
  case notKept(LogDownload)
  /// We stopped.
  case interrupted(LogDownload)
  /// It cannot be read without erasing it, and that was not allowed.
  case refused(LogDownload, CommandFailure)
  /// There is nothing to ask, or nobody.
  case failed(CommandFailure)

  /// By why the read-out ended. `isStopping`: we had it end; `isUnpublished`: the broker acknowledged nothing.
  init(_ end: LogReadOutResult.End, of download: LogDownload, isStopping: Bool, isUnpublished: Bool) {
    switch end {
    case .notKept where isStopping: self = .interrupted(download)
    case .notKept where isUnpublished: self = Self.refusal(LogReplies.unpublished(download), download)
    case .notKept: self = .notKept(download)
    case .needsErasure: self = Self.refusal(LogReplies.refusal(needingErasure: download), download)
    case .finished, .silent, .doubtful: self = .over(download)
    }
  }

  static func refusal(_ failure: CommandFailure, _ download: LogDownload) -> DownloadResult {
    var download = download
    download.refusal = failure.message
    return .refused(download, failure)
  }

  /// What came of it; nil where nothing was begun.
  var download: LogDownload? {
    switch self {
    case .over(let download), .notKept(let download), .interrupted(let download), .refused(let download, _):
      download
    case .failed: nil
    }
  }
}
