import Testing

@testable import Simulator

struct BootloaderLinkTests {
  @Test func `A buffer empties with time`() {
    var traits = BootloaderTraits.Link()
    (traits.buffer, traits.writing) = (2, .milliseconds(5))
    var link = BootloaderLink(traits, at: .zero)
    func takes(at milliseconds: Int, limit: Int? = nil) -> Bool {
      link.takesImage(at: .milliseconds(milliseconds), limit: limit)
    }
    let atOnce = [takes(at: 0), takes(at: 0), takes(at: 0)]
    #expect(atOnce == [true, true, false])
    let later = [takes(at: 5), takes(at: 5)]
    #expect(later == [true, false])
    let limited = [takes(at: 100, limit: 1), takes(at: 100, limit: 1)]
    #expect(limited == [true, false])
  }

  @Test func `Without a buffer there is room for everything`() {
    var link = BootloaderLink(BootloaderTraits.Link(), at: .zero)
    let all = (0..<100).map { _ in link.takesImage(at: .zero, limit: nil) }
    #expect(all.allSatisfy { $0 })
  }

  @Test func `What arrives next may come either way`() {
    var link = BootloaderLink(BootloaderTraits.Link(), at: .zero)
    #expect(link.next == nil)
    link.outgoing.put([1], at: .milliseconds(40))
    #expect(link.next == .milliseconds(60))
    link.incoming.put(.data([2]), at: .zero)
    #expect(link.next == .milliseconds(30))
  }
}
