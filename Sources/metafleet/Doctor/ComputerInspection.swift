import FleetModel
import Foundation
import Glibc
import Storage

/// Looks at this computer, and changes nothing.
struct ComputerInspection: Sendable {
  /// Where sysfs is.
  let sysfs: String

  func look(
    at configuration: ConfigurationInspection, environment: [String: String]
  ) -> ComputerFacts {
    let directory = StateDirectory.path(
      configured: configuration.configuration.storage.directory, environment: environment)
    let space = Self.space(of: directory)
    return ComputerFacts(
      configuration: configuration.fact, directory: directory, state: Self.state(directory),
      database: Self.database(directory), damagedDatabases: Self.damaged(directory), freeBytes: space?.free,
      wholeBytes: space?.whole, minimumFree: configuration.configuration.storage.minimumFree, now: .system,
      isClockSynchronised: HostMeasurements.isClockSynced, switches: switches, isRoot: geteuid() == 0)
  }

  private static func state(_ directory: String) -> ComputerFacts.DirectoryFact {
    var status = stat()
    guard stat(directory, &status) == 0 else {
      return errno == ENOENT ? .missing : .unreadable(PathFailure.text(directory, "read"))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return .noDirectory }
    return .there(mode: Int(status.st_mode & 0o777), isWritable: access(directory, W_OK | X_OK) == 0)
  }

  private static func database(_ directory: String) -> ComputerFacts.DatabaseFact {
    do throws(StoreFailure) {
      guard let reader = try ArchiveReader(directory: directory) else { return .missing }
      _ = try reader.hasArchive()
      return .sound
    } catch {
      return switch error {
      case .newer: .newer("\(error)")
      case .corrupt: .damaged("\(error)")
      default: .unreadable("\(error)")
      }
    }
  }

  private static func damaged(_ directory: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter {
      $0.hasPrefix("metafleet.sqlite.damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    .sorted().map { "\(directory)/\($0)" }
  }

  /// Of the nearest folder that is there: the directory itself is made later.
  private static func space(of directory: String) -> (free: Int64, whole: Int64)? {
    var path = directory
    while true {
      var status = statvfs()
      if statvfs(path, &status) == 0 {
        let block = UInt64(status.f_frsize)
        return (
          Int64(clamping: UInt64(status.f_bavail) &* block), Int64(clamping: UInt64(status.f_blocks) &* block)
        )
      }
      guard path != "/", !path.isEmpty else { return nil }
      path = URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
  }

  private var switches: [ComputerFacts.RadioSwitch]? {
    let folder = "\(sysfs)/class/rfkill"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
    return names.sorted().compactMap { name in
      func value(_ file: String) -> String? {
        (try? FileContent.read("\(folder)/\(name)/\(file)", atMost: 4_096)).map {
          String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
      }
      guard value("type") == "bluetooth" else { return nil }
      return ComputerFacts.RadioSwitch(
        name: value("name") ?? name, isBlockedBySoftware: value("soft") == "1",
        isBlockedByHardware: value("hard") == "1")
    }
  }
}
