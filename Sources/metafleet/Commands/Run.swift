import ArgumentParser
import DBus
import FleetModel
import Foundation
import Glibc
import Logging

/// `run`: the daemon.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the gateway until it is stopped.",
    discussion: """
      Connects to the admitted boards through BlueZ and to the broker of the configuration file, and keeps both for as \
      long as it runs; a missing bus, adapter or broker is waited for. SIGTERM and Ctrl-C stop it cleanly, a second \
      one at once; SIGHUP reads the configuration again.

      Examples:
        metafleet run --config metafleet.yaml
        metafleet run --json 2> log.jsonl

      Exit status: 0 stopped; 73 the state directory is in use by another daemon, or not writable; 78 the configuration \
      is missing or wrong.
      """)

  @OptionGroup var file: ConfigurationOptions
  @Flag(help: "Log one JSON object per line, whatever log.format says.") var json = false

  /// How long the last lines of the log may take to reach whoever reads them.
  private static let flushLimit = Duration.seconds(2)

  func run() async throws {
    // What it keeps is nobody else's business, whoever starts it.
    umask(0o077)
    let file = try file.existing()
    let result = file.read()
    let settings = LogSettings(result.configuration.log, format: json ? .json : nil)
    let problems = RecentProblems()
    let writer = try LogWriter(settings, problems: problems)
    do throws(CommandLineFailure) {
      for problem in result.problems {
        writer.take(
          text: json ? JSONText.of(.object(problem.json)) : printable(problem.report(in: file.name)))
      }
      guard !result.problems.hasErrors else { throw CommandLineFailure(.configuration, "") }
      let log = Logger(label: "metafleet") { _ in LineLog(settings, problems: problems, writer: writer) }
      try await run(result.configuration, file, log, settings, problems)
      log.info("stopped")
    } catch {
      // It goes the way of all lines: nobody may read standard error any more.
      if !error.message.isEmpty { writer.take(text: "metafleet: \(error.message)") }
      await writer.finish(within: Self.flushLimit)
      throw CommandLineFailure(error.status, "")
    }
    await writer.finish(within: Self.flushLimit)
  }

  private func run(
    _ configuration: FleetConfiguration, _ file: ConfigurationFile, _ log: Logger, _ settings: LogSettings,
    _ problems: RecentProblems
  ) async throws(CommandLineFailure) {
    let environment = ProcessInfo.processInfo.environment
    let directory = StateDirectory.path(configured: configuration.storage.directory, environment: environment)
    let marker = RunMarker(
      directory: directory, serviceDirectory: StateDirectory.ofService(environment))
    do throws(CommandLineFailure) {
      try await run(configuration, file, directory, marker, log, settings, problems)
    } catch {
      marker.fail(status: Int(error.status.rawValue), message: error.message, at: .system)
      throw error
    }
    marker.end()
  }

  private func run(
    _ configuration: FleetConfiguration, _ file: ConfigurationFile, _ directory: String, _ marker: RunMarker,
    _ log: Logger, _ settings: LogSettings, _ problems: RecentProblems
  ) async throws(CommandLineFailure) {
    let wiring = try Wiring(
      configuration, file: file.isStandardInput ? nil : file.path, directory: directory, bus: .system,
      log: log, problems: problems,
      marker: marker, applied: { settings.change(to: $0.log) },
      reload: { () async throws(CommandFailure) in
        guard !file.isStandardInput else {
          throw CommandFailure(
            .unsupported,
            "the configuration came from standard input, which cannot be read again; restart the gateway, or name a file"
          )
        }
        return file.read().checked(file)
      })
    let report = StartReport(
      configuration, version: Version.full, file: file.name, directory: directory,
      admitted: await wiring.admitted)
    for line in report.lines { log.info("\(line)") }
    if configuration.boards.isEmpty {
      log.notice("no boards are listed; admit one: metafleet admit <address>")
    }
    try await wiring.run(until: try Signals.requests(on: wiring.signalLoop, canReload: true), log: log)
  }
}
