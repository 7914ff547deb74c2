import Storage
import Testing

@Suite struct BirthsTests {
  @Test func `F69 births grow by one and never repeat, also across a crash`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    for expected in 1...5 { #expect(try await store.births.next() == expected) }
    #expect(try await directory.crashed().open().births.next() == 6)
  }
}
