import ArgumentParser
import BoardKit
import FleetModel
import Foundation
import MetaMotion
import Storage

/// Where the commands that look into the archive of logs find it: in the state directory, without the daemon.
struct ArchiveOptions: ParsableArguments {
  @OptionGroup var file: ConfigurationOptions

  /// The archive, and the names that the configuration file gives to boards.
  func open() throws(CommandLineFailure) -> (reader: ArchiveReader, names: [BoardID: String]) {
    let configuration = try configuration
    let directory = StateDirectory.path(
      configured: configuration.storage.directory, environment: ProcessInfo.processInfo.environment)
    var found: ArchiveReader?
    do throws(StoreFailure) {
      found = try ArchiveReader(directory: directory)
      if let reader = found {
        let hasArchive = try reader.hasArchive()
        if !hasArchive { found = nil }
      }
    } catch {
      // Of a file that may not be opened, the failure names the path itself.
      let text = "\(error)"
      throw CommandLineFailure(
        .taken,
        text.contains(directory)
          ? printable(text) : "the archive in \(printable(directory)) cannot be read: \(text)")
    }
    guard let reader = found else {
      throw CommandLineFailure(
        .unavailable,
        "there is no archive in \(printable(directory)); --config names the daemon's configuration file, "
          + "and metafleet run creates the archive")
    }
    let named = configuration.boards.compactMap { board in board.name.map { (board.board, $0) } }
    return (reader, Dictionary(named) { first, _ in first })
  }

  /// What the gateway calls itself in topics.
  var gateway: String {
    get throws(CommandLineFailure) { try configuration.gateway.id }
  }

  /// The file's, or the defaults without one.
  private var configuration: FleetConfiguration {
    get throws(CommandLineFailure) {
      guard file.path != nil || ConfigurationFile.find(file.place) != nil else { return FleetConfiguration() }
      let file = try file.existing()
      let result = file.read()
      guard result.problems.hasErrors else { return result.configuration }
      throw CommandLineFailure(
        .configuration, "\(file.name) has errors; metafleet config check --config \(file.path) lists them")
    }
  }

  /// How entries are read.
  static func format() throws(CommandLineFailure) -> LogFormat {
    guard let format = MetaMotionFamily.descriptor.logFormat else {
      throw CommandLineFailure(.internal, "this version cannot read the boards' logs")
    }
    return format
  }
}
