import Foundation
import SeededFaults

/// See `Tests/SeededFaults/run`.
@main enum Program {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count <= 1, let seeds = seeds(arguments.first ?? "1..1000") else {
      print("usage: SeededFaults [SEED | FIRST..LAST]")
      exit(64)
    }
    let workers = UInt64(ProcessInfo.processInfo.activeProcessorCount)
    let failed = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<workers {
        group.addTask {
          try stride(from: Int(seeds.lowerBound + worker), through: Int(seeds.upperBound), by: Int(workers))
            .count { try !SeededRun.holds(UInt64($0)) }
        }
      }
      var failed = 0
      for try await found in group { failed += found }
      return failed
    }
    print(
      "seeds \(seeds.lowerBound) to \(seeds.upperBound): \(seeds.count - failed) passed, \(failed) failed")
    exit(failed == 0 ? 0 : 1)
  }

  /// `42` or `1..1000`.
  private static func seeds(_ text: String) -> ClosedRange<UInt64>? {
    let bounds = text.split(separator: "..").compactMap { UInt64($0) }.filter { $0 < 1 << 62 }
    guard let first = bounds.first, let last = bounds.last, first <= last, bounds.count <= 2 else {
      return nil
    }
    return first...last
  }
}
