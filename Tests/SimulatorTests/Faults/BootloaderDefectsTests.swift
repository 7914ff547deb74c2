import Testing

@testable import Simulator

struct BootloaderDefectsTests {
  private var defects = BootloaderDefects()

  @Test mutating func `What is to happen so often happens so often`() {
    defects.add(.jump(.lost, 2))
    defects.add(.answer(.start, .tooLarge, 2))
    defects.add(.linkLostAfter(.image, 1))
    defects.add(.flippedBit(1))
    let jumps = (0..<3).map { _ in defects.takeJump(.lost) }
    let answers = (0..<3).map { _ in defects.takeAnswer(to: .start)?.status }
    let losses = (0..<2).map { _ in defects.losesLink(after: .image) }
    let flips = (0..<2).map { _ in defects.flips() }
    #expect(jumps == [true, true, false] && answers == [.tooLarge, .tooLarge, nil])
    #expect(losses == [true, false] && flips == [true, false])
  }

  @Test mutating func `No answer is an answer, and another request has its own`() {
    defects.add(.answer(.validate, nil, 1))
    let other = defects.takeAnswer(to: .start)
    let silence = defects.takeAnswer(to: .validate)
    #expect(other == nil && silence != nil && silence?.status == nil)
  }

  @Test mutating func `A share of an image is reached once`() {
    defects.add(.linkLost(percent: 50))
    defects.add(.powerLost(percent: 0))
    let links = [0, 49, 51, 100].map { defects.losesLink(at: $0) }
    let power = [0, 0].map { defects.losesPower(at: $0) }
    #expect(links == [false, false, true, false] && power == [true, false])
  }

  @Test mutating func `Activations go wrong one after the other, and the same again replaces what is left`() {
    defects.add(.activation(.old, 5))
    defects.add(.activation(.old, 1))
    defects.add(.activation(.restless, 1))
    let activations = (0..<3).map { _ in defects.takeActivation() }
    #expect(activations == [.old, .restless, nil])
  }

  @Test mutating func `What lasts stays`() {
    defects.add(.late(.seconds(55)))
    defects.add(.erasing(.seconds(85)))
    defects.add(.buffer(4))
    #expect(defects.lateness == .seconds(55) && defects.erasing == .seconds(85) && defects.buffer == 4)
  }
}
