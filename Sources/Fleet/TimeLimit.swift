import FleetModel

/// Bounds work by time.
enum TimeLimit {
  /// Runs `work`, which ends soon once it is cancelled, for `limit` at most. Whether it came to its own end.
  static func keep(
    _ limit: Duration, by timekeeper: any Timekeeper, _ work: @escaping @Sendable () async -> Void
  ) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await work()
        return true
      }
      group.addTask {
        do throws(CancellationError) { try await timekeeper.sleep(for: limit) } catch {}
        return false
      }
      let isOver = await group.next() ?? true
      group.cancelAll()
      return isOver
    }
  }
}
