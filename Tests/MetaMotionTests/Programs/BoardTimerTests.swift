import Testing

@testable import MetaMotion

struct BoardTimerTests {
  @Test(
    arguments: [
      (BoardTimer(periodMilliseconds: 3_141, repetitions: 59), "0c02450c00003b0000"),
      (BoardTimer(periodMilliseconds: 1_000, isImmediate: true), "0c02e8030000ffff01"),
    ])
  func `is written and read back`(timer: BoardTimer, hex: String) {
    #expect(timer.command == bytes(hex))
    #expect(BoardTimer(bytes("0c82") + timer.command.dropFirst(2)) == timer)
  }

  @Test(
    arguments: ["0c82", "0c82ffffffffffffff", "0c8200000000000000"])
  func `what boards may say of an empty slot`(hex: String) { #expect(BoardTimer(bytes(hex)) == nil) }
}
