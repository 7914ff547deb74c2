import ArgumentParser
import Fleet
import FleetModel
import Storage

/// `verify`: whether everything that boards logged is accounted for.
struct Verify: ParsableCommand, ArchiveCommand {
  static let configuration = CommandConfiguration(
    abstract: "Proves that logged samples are delivered, declared lost, or still on their way.",
    discussion: """
      For every board and stream: what was produced must be what was delivered, what was declared lost and what still \
      waits. Produced is counted anew from the archived entries, where these are still here; delivered is what the broker \
      acknowledged. A session whose board sent less than it counted, without a declared gap, does not add up either, nor does one with \
      entries of unknown loggers. A board does not log while it is read out: how often and how long that was is shown \
      beside the table, and the samples count as lost.

      Only logs are proved; what is kept of streams is a copy of what was published. Reads the state directory, whether the daemon \
      runs or not.

      Examples:
        metafleet verify "Pump 3" --since 7d
        metafleet verify --json | jq 'select(.ok == false)'

      Exit status: 0 it adds up; 1 it does not; 64 no such board; 69 there is no archive; 73 it cannot be read; 77 it is not for you; \
      78 the configuration is wrong.
      """)

  @Argument(help: "Boards by name or id; all without any.") var boards: [String] = []
  @OptionGroup var archive: ArchiveOptions
  @Option(help: ArgumentHelp("Only sessions since: 7d ago, or 2026-11-20, in UTC.", valueName: "time"))
  var since: Since?
  @Flag(help: "One JSON object per board and stream.") var json = false

  func run() throws {
    let (reader, names) = try archive.open()
    let all = try reader.sessions(since: since?.time(now: .system))
    let sessions = try SessionChoice(sessions: all, names: names)(boards)
    var verification = LogVerification()
    for session in sessions {
      verification.add(
        try reader.ledger(of: session), counted: try counted(session, reader),
        gaps: try reader.gaps(of: session.id))
    }
    if json {
      for line in verification.lines {
        try Console.line(JSONText.of(.object(LogVerification.object(of: line))))
      }
    } else {
      let table = verification.table(names: names)
      for line in table.lines(width: Console.width, isColoured: Console.hasColours) { try Console.line(line) }
    }
    if let text = verification.notLogged { Console.note(text) }
    for (session, text) in verification.faults { Console.note("session \(session): \(text)") }
    if sessions.isEmpty {
      Console.note("nothing was logged in that time; metafleet sessions lists what there is")
    }
    guard verification.isComplete else {
      throw CommandLineFailure(.no, "samples are missing without a declared gap; see above")
    }
  }

  /// Samples by stream in a session's entries; nil where they are gone.
  private func counted(_ session: LogSession, _ reader: ArchiveReader) throws -> [String: Int]? {
    guard !session.streams.isEmpty else { return nil }
    let decoding = LogDecoding(reader: reader, format: try ArchiveOptions.format())
    var counts: [String: Int] = [:]
    let isWhole = try decoding.read(session) { batches, _ in
      for batch in batches { counts[batch.stream, default: 0] += batch.count }
    }
    return isWhole ? counts : nil
  }
}
