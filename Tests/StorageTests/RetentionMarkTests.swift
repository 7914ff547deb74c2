import FleetModel
import Testing

@testable import Storage

@Suite struct RetentionMarkTests {
  @Test func `F265 by which time things are old outlives a crash, and follows a clock that is set back`()
    async throws
  {
    let directory = StateDirectory()
    let store = try directory.open()
    #expect(try await store.retentionMark.time() == nil)
    try await store.retentionMark.keep(.at(600))
    #expect(try await directory.crashed().open().retentionMark.time() == .at(600))
    try await store.retentionMark.keep(.at(-3_600))
    #expect(try await store.retentionMark.time() == .at(-3_600))
  }
}
