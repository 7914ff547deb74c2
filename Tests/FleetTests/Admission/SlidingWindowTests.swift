import Testing

@testable import Fleet

@Suite struct SlidingWindowTests {
  @Test func `in no stretch of time are there more than the limit`() {
    var window = SlidingWindow()
    let taken = (0..<300).filter { window.take(limit: 3, in: .seconds(60), at: .seconds($0 * 10)) }
    #expect(taken.prefix(6) == [0, 1, 2, 6, 7, 8])
    for start in 0..<294 {
      #expect(taken.count { (start..<start + 6).contains($0) } <= 3)
    }
  }

  @Test func `what is refused does not count, and a lower limit counts at once`() {
    var window = SlidingWindow()
    let first = (0..<5).map { _ in window.take(limit: 2, in: .seconds(60), at: .zero) }
    let lower = window.take(limit: 1, in: .seconds(60), at: .seconds(59))
    let later = window.take(limit: 1, in: .seconds(60), at: .seconds(60))
    #expect(first == [true, true, false, false, false] && !lower && later)
  }
}
