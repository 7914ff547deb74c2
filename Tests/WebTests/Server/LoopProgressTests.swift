import EventLoops
import Testing

@testable import Web

@Suite struct LoopProgressTests {
  @Test func `F229 every part that is followed is known, and a stopped loop falls silent`() async throws {
    let loop = try EventLoop(name: "followed")
    let progress = LoopProgress()
    progress.follow(loop)
    progress.note("the gateway")
    #expect(Set(progress.silence.keys) == ["the thread followed", "the gateway"])
    loop.stop()
    let (before, after) = (progress.silence, progress.silence)
    #expect(before.allSatisfy { name, time in after[name].map { $0 >= time } == true })
  }
}
