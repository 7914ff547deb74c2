import FleetModel
import Foundation
import Glibc
import Storage

/// Where diagnostics lie: `diagnostics/<time>.tar.gz` in the state directory, readable for the daemon's user alone.
struct DiagnosticBundle: Sendable {
  /// So many are kept.
  static let limit = 10

  let stateDirectory: String
  /// The configuration as it is on the disk; secrets are in files of their own.
  let configurationFile: String?

  private var directory: String { "\(stateDirectory)/diagnostics" }

  /// Packs the files and returns the path of the bundle. Throws `internal` when the disk or tar
  /// does not let us.
  @concurrent func write(
    _ files: [(name: String, bytes: [UInt8])], at time: Timestamp
  ) async throws(CommandFailure) -> String {
    let name = "\(time.compact).tar.gz"
    let scratch = "\(directory)/\(time.compact)"
    try Self.make(directory)
    try Self.make(scratch)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    for file in files { try Self.write(file.bytes, to: "\(scratch)/\(file.name)") }
    if let configurationFile {
      try? FileManager.default.copyItem(atPath: configurationFile, toPath: "\(scratch)/metafleet.yaml")
    }
    // tar keeps the mode of a file that is there.
    try Self.write([], to: "\(directory)/\(name)")
    try pack(time.compact, into: "\(directory)/\(name)")
    removeOldest()
    return "\(directory)/\(name)"
  }

  private static func make(_ directory: String) throws(CommandFailure) {
    guard mkdir(directory, 0o700) != 0, errno != EEXIST else { return }
    throw CommandFailure(.internal, PathFailure.text("the directory \(directory)", "created"))
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure(.internal, PathFailure.text(path, "written")) }
    defer { close(descriptor) }
    guard Console.send(bytes, to: descriptor) else {
      throw CommandFailure(.internal, PathFailure.text(path, "written"))
    }
  }

  private func pack(_ name: String, into file: String) throws(CommandFailure) {
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tar.arguments = ["tar", "-C", directory, "-czf", file, name]
    (tar.standardInput, tar.standardOutput, tar.standardError) = (
      FileHandle.nullDevice, FileHandle.nullDevice, FileHandle.nullDevice
    )
    do { try tar.run() } catch { throw CommandFailure(.internal, "tar cannot be started; install it") }
    tar.waitUntilExit()
    guard tar.terminationStatus == 0 else {
      throw CommandFailure(
        .internal, "tar could not write \(file) (exit \(tar.terminationStatus)); is the disk full?")
    }
  }

  /// Names sort by time; what cannot be removed is left to the next time.
  private func removeOldest() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let bundles = names.filter { $0.hasSuffix(".tar.gz") }.sorted()
    for name in bundles.dropLast(Self.limit) {
      try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
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
