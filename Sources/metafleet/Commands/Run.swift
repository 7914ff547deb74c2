import ArgumentParser
import DBus
import FleetModel
import Foundation
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

  func run() async throws {
    let file = try file.existing()
    let result = file.read()
    for problem in result.problems {
      Console.note(json ? JSONText.of(.object(problem.json)) : printable(problem.report(in: file.path)))
    }
    guard !result.problems.hasErrors else { throw CommandLineFailure(.configuration, "") }
    let configuration = result.configuration
    let settings = LogSettings(configuration.log, format: json ? .json : nil)
    let problems = RecentProblems()
    let log = Logger(label: "metafleet") { _ in LineLog(settings, problems: problems) }
    let environment = ProcessInfo.processInfo.environment
    let directory = StateDirectory.path(
      configured: configuration.storage.directory, environment: environment)
    let broker = configuration.mqtt
    log.info(
      "starting",
      metadata: [
        "version": "\(Version.full)", "configuration": "\(file.path)", "state_directory": "\(directory)",
        "boards": "\(configuration.boards.count)", "broker": "\(broker.host):\(broker.effectivePort)",
      ])
    let marker = RunMarker(
      directory: directory, serviceDirectory: StateDirectory.ofService(environment))
    do {
      let wiring = try Wiring(
        configuration, file: file.path, directory: directory, bus: .system, log: log, problems: problems,
        marker: marker, applied: { settings.change(to: $0.log) },
        reload: { () async throws(CommandFailure) in file.read().checked(file) })
      if configuration.boards.isEmpty {
        log.notice("no boards are listed; admit one: metafleet admit <address>")
      }
      try await wiring.run(until: try Signals.requests(on: wiring.signalLoop, canReload: true), log: log)
    } catch {
      marker.fail(status: Int(error.status.rawValue), message: error.message, at: .system)
      throw error
    }
    marker.end()
  }
}
