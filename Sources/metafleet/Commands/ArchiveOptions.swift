import ArgumentParser
import BoardKit
import FleetModel
import Foundation
import Glibc
import MetaMotion
import Storage

/// Where the commands that look into the archive of logs find it: in the state directory, without the daemon; or, for
/// those who may not read that, through the daemon's socket.
struct ArchiveOptions: ParsableArguments {
  @OptionGroup var file: ConfigurationOptions

  /// The archive, and the names that the configuration file gives to boards. Where the gateway must read it for us, it
  /// does: then this ends with the failure that is the command's exit status, and nothing is left to be said.
  /// `result` is the file that the command is about to write.
  func open(
    into result: OutputOptions? = nil
  ) throws(CommandLineFailure) -> (reader: ArchiveReader, names: [BoardID: String]) {
    let environment = ProcessInfo.processInfo.environment
    let path = ArchiveSocket.path(environment: environment)
    let socket = ArchiveSocket.state(at: path)
    let (directory, files) = try place(environment, socket)
    switch ArchiveAccess(files, isNamed: file.isNamed, socket: socket) {
    case .files: break
    case .refused(let failure): throw failure
    case .gateway:
      let request = ArchiveRequest(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: environment)
      let file = try result.flatMap { options throws(CommandLineFailure) in
        options.path == nil ? nil : try options.open()
      }
      let status = try ArchiveClient.run(request, into: file?.descriptor, at: path)
      if status != 0 { file?.removeIfEmpty() }
      try file?.close()
      throw CommandLineFailure(ended: status)
    }
    return try read(in: directory)
  }

  /// The state directory, and what it is to us.
  private func place(
    _ environment: [String: String], _ socket: ArchiveAccess.Socket
  ) throws(CommandLineFailure) -> (directory: String, files: ArchiveAccess.Files) {
    if let file = ConfigurationFile.find(file.place), !file.isStandardInput, Self.reason(file.path) == EACCES
    {
      return (file.path, .forbidden)
    }
    let configured: String?
    do throws(CommandLineFailure) { configured = try configuration.storage.directory } catch {
      // The gateway's own file may ask for what only the gateway has, such as a credential.
      guard !file.isNamed, socket == .open else { throw error }
      return ("", .forbidden)
    }
    let directory = StateDirectory.path(configured: configured, environment: environment)
    return switch Self.reason(directory) {
    case EACCES: (directory, .forbidden)
    // Where a service has an archive, that is the one that was meant.
    case ENOENT, ENOTDIR:
      (directory, !file.isNamed && Self.reason(StateDirectory.ofSystem) == EACCES ? .forbidden : .missing)
    default: (directory, .readable)
    }
  }

  /// Why a path cannot be read; nil where it can.
  private static func reason(_ path: String) -> Int32? { access(path, R_OK) == 0 ? nil : errno }

  private func read(
    in directory: String
  ) throws(CommandLineFailure) -> (reader: ArchiveReader, names: [BoardID: String]) {
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
    let named = try configuration.boards.compactMap { board in board.name.map { (board.board, $0) } }
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
