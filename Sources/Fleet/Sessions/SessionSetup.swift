/// The set-up of a board on one link, part by part. Confined to its session.
struct SessionSetup {
  let streams: StreamSetup
  let polls: StreamPolls
  let program: ProgramSetup
  let settings: SettingsSetup

  init(_ context: SessionContext, log: BoardLog) {
    streams = StreamSetup(context, log: log)
    polls = StreamPolls(context, streams: streams)
    program = ProgramSetup(context, log: log, streams: streams)
    settings = SettingsSetup(context)
  }
}
