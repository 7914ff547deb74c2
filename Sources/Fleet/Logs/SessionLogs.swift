/// What a session does about its board's log, part by part. Confined to its session.
struct SessionLogs {
  let reconciler: LogReconciler
  let foreign: ForeignLoggers
  let downloader: LogDownloader
  let commands: LogCommands

  init(_ context: SessionContext, log: BoardLog, setup: SessionSetup) {
    let losses = LogLosses(context, log: log)
    let runs = LogSessions(context, log: log, losses: losses)
    foreign = ForeignLoggers(context, log: log)
    reconciler = LogReconciler(context, log: log, runs: runs, losses: losses, streams: setup.streams)
    downloader = LogDownloader(
      context, log: log, runs: runs, losses: losses, foreign: foreign, reconciler: reconciler, setup: setup)
    commands = LogCommands(
      context, log: log, losses: losses, reconciler: reconciler, downloader: downloader, setup: setup)
  }
}
