import Foundation
import Testing

@testable import Storage

@Suite struct CrashTests {
  @Test func `F92 kill -9 loses nothing that was acknowledged, and frees the directory`() async throws {
    let directory = StateDirectory()
    let path = directory.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try Store(directory: path, executor: InlineExecutor())
      for number in 1...10 { _ = try await store.outbox.append([.record("\(number)"), .event("\(number)")]) }
      raise(SIGKILL)
    }
    let store = try directory.open()
    #expect(store.setAside == nil)
    #expect(try await store.outbox.waiting(limit: 100).count == 20)
  }

  @Test func `F91 after a write error nothing is promised any more, and nothing promised is lost`()
    async throws
  {
    let directory = StateDirectory()
    let path = directory.path
    let acknowledged = "\(directory.path).acknowledged"
    defer { try? FileManager.default.removeItem(atPath: acknowledged) }
    await #expect(processExitsWith: .success) {
      [path = path as String, acknowledged = acknowledged as String] in
      signal(SIGXFSZ, SIG_IGN)
      let store = try Store(directory: path, executor: InlineExecutor())
      // The schema alone takes some 400 kB of the write-ahead log.
      var limit = rlimit(rlim_cur: 800_000, rlim_max: rlim_t.max)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      var count = 0
      do {
        while count < 1_000 {
          _ = try await store.outbox.append([
            .record(String(repeating: "x", count: 1_000)), .event("\(count)"),
          ])
          count += 1
        }
        exit(1)
      } catch let first as StoreFailure {
        guard case .io = first else { exit(2) }
        limit.rlim_cur = rlim_t.max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        // The disk would take it again; the store must not.
        do {
          _ = try await store.births.next()
          exit(3)
        } catch {
          guard error as? StoreFailure == first else { exit(4) }
        }
      }
      try Data("\(count)".utf8).write(to: URL(filePath: acknowledged))
      exit(0)
    }
    let count = try #require(Int(String(contentsOfFile: acknowledged, encoding: .utf8)))
    #expect(count > 0)
    let store = try directory.open()
    #expect(store.setAside == nil)
    #expect(try await store.outbox.statistics().waiting.messages == 2 * count)
    #expect(try await store.births.next() == 1)
  }
}
