import Testing

@testable import metafleet

@Suite struct CredentialWatchTests {
  private static let password = "the password file /p"
  private static let key = "its key /k"

  private static func look(_ password: UInt8, _ key: UInt8? = nil) -> CredentialWatch.Look {
    var look: CredentialWatch.Look = [Self.password: .hash([password])]
    look[Self.key] = key.map { .hash([$0]) }
    return look
  }

  private var watch = CredentialWatch(Self.look(1, 1))

  @Test mutating func `F254 a file that holds something else counts when two looks see the same, once`() {
    #expect(watch.take(Self.look(1, 1)) == .same)
    #expect(watch.take(Self.look(2, 1)) == .same)
    #expect(watch.take(Self.look(2, 1)) == .changed("the password file /p changed"))
    #expect(watch.take(Self.look(2, 1)) == .same)
  }

  @Test mutating func `F254 two files that are replaced one after the other count together`() {
    #expect(watch.take(Self.look(2, 1)) == .same)
    #expect(watch.take(Self.look(2, 2)) == .same)
    #expect(watch.take(Self.look(2, 2)) == .changed("its key /k, the password file /p changed"))
  }

  @Test mutating func `F254 what was taken back meanwhile has not changed`() {
    #expect(watch.take(Self.look(2, 1)) == .same)
    #expect(watch.take(Self.look(1, 1)) == .same)
    #expect(watch.take(Self.look(1, 1)) == .same)
  }

  @Test mutating func `F254 a reload counts at once`() {
    #expect(watch.take(Self.look(2, 1), isCertain: true) == .changed("the password file /p changed"))
  }

  @Test mutating func `F254 what cannot be used is said once, and what is used stays`() {
    let empty: CredentialWatch.Look = [Self.password: .unusable("/p is empty"), Self.key: .hash([1])]
    #expect(watch.take(empty) == .same)
    #expect(watch.take(empty) == .unusable("/p is empty"))
    #expect(watch.take(empty) == .same)
    // As it was: nothing has changed.
    #expect(watch.take(Self.look(1, 1)) == .same)
    #expect(watch.take(empty) == .same)
    #expect(watch.take(empty) == .unusable("/p is empty"))
    #expect(watch.take(Self.look(3, 1)) == .same)
    #expect(watch.take(Self.look(3, 1)) == .changed("the password file /p changed"))
  }

  @Test mutating func `F254 other files are a reload's, which connects anew by itself`() {
    #expect(watch.take(Self.look(1), isCertain: true) == .same)
    #expect(watch.take(Self.look(1, 7), isCertain: true) == .same)
    #expect(watch.take(Self.look(1, 8), isCertain: true) == .changed("its key /k changed"))
  }

  @Test func `F254 a change counts within a minute`() {
    #expect(CredentialWatch.pause * 3 < .seconds(60))
  }
}
