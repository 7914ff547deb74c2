import FleetModel
import Foundation

/// Where diagnostics lie: `diagnostics/<time>.tar.gz` in the state directory, readable for the daemon's user alone.
struct DiagnosticBundle: Sendable {
  /// So many are kept.
  static let limit = 10

  let stateDirectory: String
  /// The configuration as it is on the disk; secrets are in files of their own.
  let configurationFile: String?

  private var directory: String { "\(stateDirectory)/diagnostics" }

  /// Packs the files and returns the bundle's name below the state directory. Throws `internal` when the disk or tar
  /// does not let us.
  @concurrent func write(
    _ files: [(name: String, bytes: [UInt8])], at time: Timestamp
  ) async throws(CommandFailure) -> String {
    let name = "\(time.compact).tar.gz"
    do {
      let manager = FileManager.default
      try manager.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let scratch = "\(directory)/\(time.compact)"
      try manager.createDirectory(atPath: scratch, withIntermediateDirectories: false)
      defer { try? manager.removeItem(atPath: scratch) }
      for file in files {
        try Data(file.bytes).write(to: URL(fileURLWithPath: "\(scratch)/\(file.name)"))
      }
      if let configurationFile {
        try? manager.copyItem(atPath: configurationFile, toPath: "\(scratch)/metafleet.yaml")
      }
      let tar = Process()
      tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      tar.arguments = ["tar", "-C", directory, "-czf", "\(directory)/\(name)", time.compact]
      (tar.standardInput, tar.standardOutput, tar.standardError) = (
        FileHandle.nullDevice, FileHandle.nullDevice, FileHandle.nullDevice
      )
      try tar.run()
      tar.waitUntilExit()
      guard tar.terminationStatus == 0 else {
        throw CommandFailure(.internal, "tar could not pack the diagnostics (exit \(tar.terminationStatus))")
      }
      try removeOldest()
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.internal, "the diagnostics cannot be written: \(error.localizedDescription)")
    }
    return "diagnostics/\(name)"
  }

  /// Names sort by time.
  private func removeOldest() throws {
    let bundles = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasSuffix(".tar.gz") }.sorted()
    for name in bundles.dropLast(Self.limit) {
      try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
  }
}

extension Timestamp {
  /// `20251120T204034Z`.
  fileprivate var compact: String {
    let format = Date.VerbatimFormatStyle(
      format: """
        \(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)T\
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)Z
        """, timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    return Date(timeIntervalSince1970: Double(nanoseconds) / 1_000_000_000).formatted(format)
  }
}
