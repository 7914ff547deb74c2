import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct DownloadResultTests {
  private let download = LogDownload(session: .seeded(1), expected: 10, stored: 7)

  private func end(
    _ end: LogReadOutResult.End, isStopping: Bool = false, isUnpublished: Bool = false
  ) -> DownloadResult {
    DownloadResult(end, of: download, isStopping: isStopping, isUnpublished: isUnpublished)
  }

  @Test(arguments: [LogReadOutResult.End.finished, .silent, .doubtful])
  func `a board that was asked for everything`(_ end: LogReadOutResult.End) {
    #expect(self.end(end) == .over(download))
  }

  @Test func `what could not be kept: because we stop, because the broker is slow, because of the disk`() {
    #expect(end(.notKept) == .notKept(download))
    #expect(end(.notKept, isStopping: true, isUnpublished: true) == .interrupted(download))
    #expect(end(.notKept, isUnpublished: true) == .refusal(LogReplies.unpublished(download), download))
  }

  @Test func `a refusal stands in what came of it`() {
    let needingErasure = end(.needsErasure)
    #expect(needingErasure == .refusal(LogReplies.refusal(needingErasure: download), download))
    #expect(needingErasure.download?.refusal == LogReplies.refusal(needingErasure: download).message)
    #expect(DownloadResult.failed(CommandFailure(.unsupported, "no log")).download == nil)
  }
}
