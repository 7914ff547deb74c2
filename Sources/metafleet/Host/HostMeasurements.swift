import CLinux
import FleetModel
import Foundation
import Glibc

/// What only the host can tell about the process: memory, processor time, free storage, the clock.
struct HostMeasurements: Sendable {
  /// Directory whose file system the free storage is read of.
  let directory: String

  func measure() -> [Metric: Double] {
    [
      .residentMemory: Self.residentMemory, .processorTime: Self.processorTime, .storageFree: storageFree,
      .clockSynced: Self.isClockSynced ? 1 : 0,
    ]
  }

  /// Second number of `/proc/self/statm`, in pages.
  private static var residentMemory: Double {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static var processorTime: Double {
    var usage = rusage()
    guard getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return ((seconds(usage.ru_utime) + seconds(usage.ru_stime)) * 1000).rounded() / 1000
  }

  private var storageFree: Double {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return 0 }
    return Double(status.f_bavail) * Double(status.f_frsize)
  }

  /// Whether something, such as NTP, keeps the clock right.
  static var isClockSynced: Bool { clinux_clock_is_synchronised() != 0 }

  /// `Debian GNU/Linux 12 (bookworm)`.
  static var operatingSystem: String {
    let text = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    return line.map { $0.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\""]) } ?? "Linux"
  }
}
