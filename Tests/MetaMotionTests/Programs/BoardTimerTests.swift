import Testing

@testable import MetaMotion

struct BoardTimerTests {
  @Test(
    arguments: [
      (BoardTimer(periodMilliseconds: 3_141, repetitions: 59), "0c02450c00003b0000"),
      (BoardTimer(periodMilliseconds: 1_000, isImmediate: true), "0c02e8030000ffff01"),
    ])
  func isWrittenAndReadBack(timer: BoardTimer, hex: String) {
    #expect(timer.command == bytes(hex))
    #expect(BoardTimer(bytes("0c82") + timer.command.dropFirst(2)) == timer)
  }

  @Test(
    "what boards may say of an empty slot", arguments: ["0c82", "0c82ffffffffffffff", "0c8200000000000000"])
  func emptySlots(hex: String) { #expect(BoardTimer(bytes(hex)) == nil) }
}
