import BoardKit
import FleetModel

/// What a contact is for.
extension BoardSession {
  func attend(to item: VisitAgenda.Item) async {
    switch item {
    case .clock: await readClock()
    case .battery:
      let due = environment.batterySchedule.due(
        after: orders.lastBattery, now: now, offset: environment.timekeeper.offsetFromUTC(at: now))
      if let due, due <= now { await pollBattery() }
    case .reads: await pollAll()
    case .download:
      // Looked at anew: whoever was here since may have made loggers.
      if log.run == nil { await meetOthersLoggers(anew: true) }
      if end == nil, !isLogLeftAlone { _ = await download(DownloadOrder(), stages: .silent) }
    case .leave: await environment.report(.agendaDone)
    }
  }

  /// Reads all that is only readable, once.
  private func pollAll() async {
    for stream in intake.streams.all where stream.active.isPolled {
      guard end == nil else { return }
      if intake.streams[stream.key]?.hasSamples != true { await poll(stream.key) }
    }
  }

  /// Has a download under way end at the next piece, and the board log on, before the session ends. Streams that the
  /// gateway leaves because it stops go on when it is back: what is missing until then is a gap.
  func closeSoftly(within limit: Duration, isGatewayStopping: Bool) async {
    self.isGatewayStopping = isGatewayStopping
    guard log.isDownloading, end == nil else { return close() }
    log.isStopping = true
    let deadline = uptime + limit
    while log.isDownloading, end == nil, uptime < deadline {
      do { try await environment.timekeeper.sleep(for: .milliseconds(50)) } catch { break }
    }
    close()
  }
}
