import Testing

@testable import Simulator

struct BoardTimerTests {
  private func timer(_ bytes: String) throws -> BoardTimer { try #require(BoardTimer([UInt8](hex: bytes))) }

  /// The times in milliseconds at which it ticks, ten at most.
  private func ticks(_ timer: BoardTimer, from start: Int) -> [Int] {
    var timer = timer
    var ticks: [Int] = []
    timer.start(at: .milliseconds(start))
    while let tick = timer.nextTick, ticks.count < 10 {
      ticks.append(Int(tick / .milliseconds(1)))
      timer.tick()
    }
    return ticks
  }

  @Test func `It ticks as often as configured, at once or after a period`() throws {
    #expect(try ticks(timer("E8 03 00 00 03 00 01"), from: 5) == [5, 1005, 2005])
    #expect(try ticks(timer("E8 03 00 00 03 00 00"), from: 5) == [1005, 2005, 3005])
    #expect(try ticks(timer("E8 03 00 00 FF FF 00"), from: 0).count == 10)
    #expect(try ticks(timer("E8 03 00 00 00 00 01"), from: 0).isEmpty)
  }

  @Test func `A period of zero is a millisecond`() throws {
    #expect(try ticks(timer("00 00 00 00 03 00 00"), from: 0) == [1, 2, 3])
  }

  @Test func `A new start begins anew`() throws {
    var timer = try timer("E8 03 00 00 02 00 00")
    timer.start(at: .zero)
    timer.tick()
    timer.start(at: .seconds(5))
    #expect(timer.nextTick == .seconds(6))
    timer.tick()
    #expect(timer.nextTick == .seconds(7))
    timer.stop()
    #expect(timer.nextTick == nil)
    timer.tick()
    #expect(timer.nextTick == nil)
  }

  @Test(arguments: ["E8 03 00 00 02 00", "E8 03 00 00 02 00 02", ""])
  func `Nonsense is refused`(_ bytes: String) { #expect(BoardTimer([UInt8](hex: bytes)) == nil) }
}
