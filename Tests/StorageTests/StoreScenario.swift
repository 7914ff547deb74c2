import FleetModel
import Foundation

@testable import Storage

/// Everything an outbox goes through, step by step, on a disk so small that the write-ahead log is folded often.
struct StoreScenario {
  /// One transaction each.
  static let steps: [@Sendable (Store) async throws -> Void] =
    (1...3).flatMap { round -> [@Sendable (Store) async throws -> Void] in
      let text = String(repeating: "x", count: 12_000)
      return [
        { store in
          _ = try await store.outbox.exchange(
            [.record(text + "\(round)"), .event(text + "\(round)"), .state("\(round)")], forDelivered: [],
            at: .at(Int64(round)))
        },
        { store in try await store.probe() },
        { store in
          _ = try await store.outbox.exchange(
            [.reply("\(round)")], forDelivered: [Int64(4 * round - 3), Int64(4 * round - 2)],
            at: .at(Int64(round)))
        },
        { store in
          try await store.outbox.markRefused([Int64(4 * round)], because: "quota", at: .at(Int64(round)))
        },
        { store in try await store.outbox.retryRefused(limit: 10, at: .at(100)) },
        { store in
          _ = try await store.outbox.purgeDelivered(before: .at(Int64(round)), maximumSize: 1 << 20)
        },
      ]
    }

  /// A directory with a database that is up to date, and empty.
  static func prepared(_ schema: Schema = .current) async throws -> StateDirectory {
    let directory = StateDirectory()
    try await open(directory, schema).close()
    return directory
  }

  static func open(_ directory: StateDirectory, _ schema: Schema = .current) throws -> Store {
    try Store(
      directory: directory.path, executor: InlineExecutor(), schema: schema,
      measure: { _ in DiskSpace(whole: 4 << 20, free: 4 << 20) })
  }

  /// Opens the store and goes through the steps until one fails. Returns how many did not, and why that one did; `done`
  /// is called behind each.
  static func run(
    in directory: StateDirectory, done: (Int) throws -> Void = { _ in }
  ) async throws -> (done: Int, failure: StoreFailure?, store: Store?) {
    let store: Store
    do { store = try open(directory) } catch let failure as StoreFailure { return (0, failure, nil) }
    for (number, step) in steps.enumerated() {
      do { try await step(store) } catch let failure as StoreFailure { return (number, failure, store) }
      try done(number + 1)
    }
    return (steps.count, nil, store)
  }
}
