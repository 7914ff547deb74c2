import BoardKit
import Testing

@testable import MetaMotion

struct DebugTests {
  @Test(
    arguments: [
      ("00000000", "power-on"), ("01000000", "pin"), ("02000000", "watchdog"), ("04000000", "software"),
      ("08000000", "lock-up"), ("00000100", "wake"), ("06000000", "watchdog"), ("00000200", "wake"),
    ])
  func `reset causes`(hex: String, cause: String) {
    #expect(Debug.resetCause(bytes("fe8b" + hex))?.rawValue == cause)
  }

  @Test func `short answers are none`() {
    #expect(Debug.resetCause(bytes("fe8b000000")) == nil)
    #expect(Debug.stack(bytes("fe890094")) == nil)
  }

  @Test func `the stack example of the reference`() throws {
    let stack = try #require(Debug.stack(bytes("fe8900940c")))
    #expect(!stack.isAsserted)
    #expect(stack.freeBytes == 3_220)
  }

  /// `FE 08` makes a board unusable until its firmware is installed again.
  @Test func `nothing here disables the board`() {
    let commands = [
      Debug.reset, Debug.resetWhenDisconnected, Debug.disconnect, Debug.powerSave,
      Debug.assertStackOverflow(true),
    ]
    #expect(commands.map(\.hex) == ["fe01", "fe05", "fe06", "fe07", "fe0901"])
  }
}
