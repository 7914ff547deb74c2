import BoardKit
import Testing

@testable import MetaMotion

/// What must not run at every start (fault F49).
@Suite struct StartTrapTests {
  private static func macro(_ commands: String...) -> Macro {
    Macro(isRunAtBoot: true, commands: commands.map(bytes))
  }

  /// By their slots.
  private static let macros: [UInt8: Macro] = [
    0: macro("0f0501"), 1: macro("0f0500"), 2: macro("020101", "fe01"), 3: macro("020101"),
    4: macro("0a020c0600fe0100", "0a03"),
  ]

  private static func reason(_ packets: [String], behind earlier: [Macro] = []) -> String? {
    StartTrap(packets.map(bytes), macros: macros, behind: earlier).reason
  }

  private static let traps: [(packets: [String], words: String)] = [
    (["020101", "fe01"], "resets at every start"), (["fe05"], "resets at every start"),
    (["fe02"], "bootloader"), (["fe08"], "bootloader"), (["fe07", "fe01"], "sleeps at every start"),
    // A timer's ticks, one step and two steps deep.
    (["0a020c0600fe0100", "0a03"], "resets"),
    (["0a020c06000a0206", "0a030c0600fe0100", "0a020c06000a0300", "0a03"], "resets"),
    (["0a020c06000a0206", "0a030c06000a0206", "0a020c06000a0306", "0a030c0600fe0100"], "resets"),
    // Macros that are run, at once or by a tick, or that leave an event.
    (["0f0502"], "resets"), (["0a020c06000f0501", "0a0302"], "resets"), (["0f0504"], "resets"),
    (["0f0500"], "never ends"), (["0f0507"], "nobody knows"), (["0f0201"], "records a macro"),
    // Which macro, or what of an event, is only known when it happens.
    (["0a020c06000f05010300", "0a0303"], "nobody knows"), (["0a020c06000a0206"], "nobody knows"),
    (["0a020c0600"], "nobody knows"),
    // The button that nobody presses.
    (["0a020101fffe0100", "0a03", "fe0301010001"], "resets"),
    (["0a020c0600fe0600", "0a03"], "can no longer be reached"),
    // What a sensor's samples bring about, also by processors.
    (["0a020304fffe0100", "0a03"], "resets"),
    (["09020304ffa007a500", "09020903002002" + "14", "0a02090301fe0100", "0a03"], "resets"),
    (["0a02090305fe0100", "0a03"], "resets"),
  ]

  @Test(arguments: traps.indices)
  func `F49 what would make a board useless is found, however deep it is kept`(index: Int) {
    let (packets, words) = Self.traps[index]
    #expect(Self.reason(packets)?.contains(words) == true, "\(Self.reason(packets) ?? "none")")
  }

  private static let harmless: [[String]] = [
    ["020101"], ["fe06"], ["0f0503", "0f0503"], ["0a020c06000f0501", "0a0303"],
    ["0a020101fffe0100", "0a03"], ["0a02050a02fe0100", "0a03"], ["0a02110afffe0100", "0a03"],
    // A tick has the board wait for the button.
    ["0a020c06000a0206", "0a030101fffe0100", "0a020c06000a0300", "0a03"],
    // One edge of the button, and what is computed from that.
    ["09020101ff00060000", "0a02090300fe0100", "0a03"],
    ["09020101ff000210", "0902090300000210", "0a02090301fe0100", "0a03"],
  ]

  @Test(arguments: harmless.indices)
  func `F49 what somebody has to do first is no trap`(index: Int) {
    #expect(Self.reason(Self.harmless[index]) == nil)
  }

  @Test func `processors of macros that run before have the slots before`() {
    let earlier = [Self.macro("09020304ffa007a500")]
    let edge = "09020101ff00060000"
    #expect(Self.reason([edge, "0a02090301fe0100", "0a03"], behind: earlier) == nil)
    #expect(Self.reason([edge, "0a02090300fe0100", "0a03"], behind: earlier) != nil)
  }
}
