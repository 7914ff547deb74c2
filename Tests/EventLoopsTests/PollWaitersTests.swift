import Testing

@testable import EventLoops

@Suite struct PollWaitersTests {
  private static let start = ContinuousClock.now

  @Test func `a look wakes those whose time has come once`() {
    var followers = PollWaiters()
    let (early, late) = (Sleeper(), Sleeper())
    followers.add(early, from: Self.start + .milliseconds(75))
    followers.add(late, from: Self.start + .milliseconds(175))
    #expect(followers.takeDue(at: Self.start + .milliseconds(74)).isEmpty)
    #expect(
      followers.takeDue(at: Self.start + .milliseconds(75)).map(ObjectIdentifier.init) == [
        ObjectIdentifier(early)
      ])
    #expect(followers.takeDue(at: Self.start + .milliseconds(100)).isEmpty, "woken once")
    #expect(
      followers.takeDue(at: Self.start + .milliseconds(200)).map(ObjectIdentifier.init) == [
        ObjectIdentifier(late)
      ])
  }

  @Test func `who was woken otherwise is forgotten`() {
    var followers = PollWaiters()
    for _ in 0..<3 {
      let sleeper = Sleeper()
      followers.add(sleeper, from: Self.start)
      sleeper.wake()
    }
    let last = Sleeper()
    followers.add(last, from: Self.start)
    #expect(followers.takeDue(at: Self.start).map(ObjectIdentifier.init) == [ObjectIdentifier(last)])
  }
}
