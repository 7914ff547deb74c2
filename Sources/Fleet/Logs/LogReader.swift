import BoardKit
import FleetModel
import Storage

/// Reading a log out, page by page: a page is erased on the board when all of it is known to have come and is on our
/// disk. Confined to its session.
final class LogReader {
  private let context: SessionContext
  private let log: BoardLog
  private let losses: LogLosses
  /// Whether the read-out shall end with the piece that it is at.
  var isStopping = false
  /// Whether it ended because the broker acknowledged nothing.
  var isUnpublished = false

  init(_ context: SessionContext, log: BoardLog, losses: LogLosses) {
    (self.context, self.log, self.losses) = (context, log, losses)
  }

  /// Reads the log out, and again where a page of it was in doubt, as long as that may bring it on. The store has
  /// begun.
  func readOut(
    _ entries: Int, _ release: PageErasure, from source: any LogSource, _ tally: inout ReadOutCounts,
    _ stages: CommandProgress
  ) async throws(ProtocolFailure) -> LogReadOutResult {
    var retries = ReadOutRetries(complete: tally.run.stored)
    var entries = entries
    while true {
      let readOut: LogReadOutResult
      do throws(ProtocolFailure) {
        readOut = try await source.readOut(entries, mayErase: release.mayErase) { page in
          await self.keep(page, release, &tally, stages)
        }
      } catch {
        // What came of the page at hand stays as it is: the board may not tell it again.
        _ = try? await context.store.logs.endReadOut(of: tally.run.id, isFinished: false, received: 0)
        throw error
      }
      tally.doubled += readOut.doubled
      guard readOut.end == .doubtful, !isStopping,
        let left = try await log.recount(source, withClock: false)?.entries
      else {
        return readOut
      }
      let complete = (try? await context.store.logs.completeEntries(of: tally.run.id)) ?? 0
      let again = retries.ended(complete: complete)
      // What came of a page in doubt would stand beside what comes of it at last. Only what cannot be read may never
      // come otherwise, and is kept.
      guard again || readOut.malformed == 0 else { return readOut }
      do throws(StoreFailure) {
        try await context.store.logs.beginReadOut(of: tally.run.id, expecting: left, again: tally.entrySize)
      } catch {
        return readOut
      }
      tally.begins(entries: left)
      guard again, left > 0 else { return readOut }
      entries = left
    }
  }

  /// Keeps a piece: true once it is on our disk, and the next one is wanted.
  private func keep(
    _ page: LogPage, _ release: PageErasure, _ tally: inout ReadOutCounts, _ stages: CommandProgress
  ) async -> Bool {
    do throws(StoreFailure) {
      let appended = try await context.store.logs.append(
        page.entries, endsPage: page.endsPage, to: tally.run.id, entrySize: tally.entrySize, at: context.now)
      await context.report(.passed(.kept))
      if let progress = tally.took(page, new: appended.new, at: context.uptime) {
        let eta = progress.left.map { context.now + $0 }
        await stages.progress(progress.percent, eta)
      }
      // A page that is not confirmed comes again, and is recognised.
      guard !isStopping else { return false }
      if page.endsPage, release == .acknowledged, await !isPublished(tally.run) { return false }
      if page.endsPage, release == .beforePublished, !tally.isErasedBefore {
        try await context.store.logs.noteErasedBeforePublished(tally.run.id)
        tally.isErasedBefore = true
      }
      if page.missing > 0 {
        // Before the page is erased: whatever happens then, the loss is declared.
        let samples = tally.lose(page.missing)
        await losses.noteGap(
          in: tally.run, since: tally.run.started, until: context.now, count: samples,
          because: GapReason.download.rawValue, .lost)
      }
      return true
    } catch {
      await context.report(.stored(error))
      return false
    }
  }

  /// Whether what is left on the board may be erased behind the read-out.
  func mayErase(_ run: LogSession, _ release: PageErasure, _ download: inout LogDownload) async -> Bool {
    if release == .acknowledged { return await isPublished(run) }
    guard release == .beforePublished, !download.isClearedBefore else { return true }
    download.isClearedBefore = true
    return (try? await context.store.logs.noteErasedBeforePublished(run.id)) != nil
  }

  /// Whether the broker has acknowledged all that came of a run until now; a moment is waited for it (fault F115).
  private func isPublished(_ run: LogSession) async -> Bool {
    await context.report(.archiveGrew)
    let deadline = context.uptime + PageErasure.publishTimeout
    var pause = Duration.milliseconds(50)
    while context.end == nil, !isStopping {
      guard let left = try? await context.store.logs.undelivered(of: run.id) else { break }
      if left == 0 { return true }
      guard context.uptime < deadline else { break }
      do { try await context.environment.timekeeper.sleep(for: pause) } catch { break }
      pause = min(pause * 2, .milliseconds(500))
    }
    isUnpublished = !isStopping
    return false
  }
}
