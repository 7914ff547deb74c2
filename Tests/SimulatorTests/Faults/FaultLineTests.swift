import FleetModel
import Testing

@testable import Simulator

struct FaultLineTests {
  private static let boards = (1...9).map { BoardIdentity(number: $0).address }

  private static func order(_ text: String) throws -> FaultOrder? {
    try FaultLine.parse(text, boards: boards)?.order(after: .seconds(100))
  }

  private static let lines: [(String, FaultOrder)] = [
    ("drop 3", FaultOrder(.drop, on: [boards[2]], at: .seconds(100))),
    ("at 10s drop 3", FaultOrder(.drop, on: [boards[2]], at: .seconds(10))),
    ("after 500ms drop 1-2", FaultOrder(.drop, on: [boards[0], boards[1]], at: .milliseconds(100_500))),
    (
      "  at 1m30s\tmute all for 20s # hush",
      FaultOrder(
        .apply(.mute), on: boards, at: .seconds(90), lasts: .seconds(20))
    ),
    (
      "refuse 1",
      FaultOrder(
        .apply(.refused(name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local")),
        on: [boards[0]],
        at: .seconds(100))
    ),
    (
      "refuse 1 InProgress In Progress for 5s",
      FaultOrder(
        .apply(.refused(name: "org.bluez.Error.InProgress", text: "In Progress")), on: [boards[0]],
        at: .seconds(100), lasts: .seconds(5))
    ),
    (
      "refuse 1 org.freedesktop.DBus.Error.NoReply",
      FaultOrder(
        .apply(.refused(name: "org.freedesktop.DBus.Error.NoReply", text: "")), on: [boards[0]],
        at: .seconds(100))
    ),
    ("ignore 2 disconnect", FaultOrder(.apply(.ignored(.disconnect)), on: [boards[1]], at: .seconds(100))),
    ("delay 2 2s", FaultOrder(.apply(.delayed(.seconds(2))), on: [boards[1]], at: .seconds(100))),
    ("vanish C0:FF:EE:00:00:04", FaultOrder(.apply(.vanished), on: [boards[3]], at: .seconds(100))),
    ("reset 9", FaultOrder(.reset, on: [boards[8]], at: .seconds(100))),
    ("battery 1 7", FaultOrder(.battery(percent: 7), on: [boards[0]], at: .seconds(100))),
    ("flood 1 500", FaultOrder(.flood(500), on: [boards[0]], at: .seconds(100))),
    ("malformed 1 20", FaultOrder(.malformed(20), on: [boards[0]], at: .seconds(100))),
    (
      "lose-write 1 accelerometer 03",
      FaultOrder(
        .apply(.defect(.lostWrites(RegisterPlace(module: 3, register: 3), 1))), on: [boards[0]],
        at: .seconds(100))
    ),
    (
      "unreadable 1 0x04 0x01 3 for 5s",
      FaultOrder(
        .apply(.defect(.unreadable(RegisterPlace(module: 4, register: 1), 3))), on: [boards[0]],
        at: .seconds(100), lasts: .seconds(5))
    ),
    (
      "truncate 1 fusion 2",
      FaultOrder(
        .apply(.defect(.truncated(RegisterPlace(module: 0x19, register: 2), 1))), on: [boards[0]],
        at: .seconds(100))
    ),
    (
      "double-entries 1 3",
      FaultOrder(.apply(.defect(.doubledEntries(3))), on: [boards[0]], at: .seconds(100))
    ),
    ("damage-ticks 1", FaultOrder(.apply(.defect(.damagedTicks(1))), on: [boards[0]], at: .seconds(100))),
    ("lose-samples 1 9", FaultOrder(.apply(.defect(.lostSamples(9))), on: [boards[0]], at: .seconds(100))),
    (
      "double-samples 1 2",
      FaultOrder(.apply(.defect(.doubledSamples(2))), on: [boards[0]], at: .seconds(100))
    ),
    ("clump 1 70ms", FaultOrder(.apply(.clumped(.milliseconds(70))), on: [boards[0]], at: .seconds(100))),
    ("lose-entries 1", FaultOrder(.apply(.defect(.lostEntries(1))), on: [boards[0]], at: .seconds(100))),
    (
      "impossible-values 1 euler-angles 7",
      FaultOrder(.apply(.defect(.impossible(.eulerAngles, 7))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "unknown-notifications 1 5",
      FaultOrder(.apply(.defect(.unknownNotifications(5))), on: [boards[0]], at: .seconds(100))
    ),
    ("foreign-host 2", FaultOrder(.foreignHost, on: [boards[1]], at: .seconds(100))),
    (
      "dfu-jump 1 returned 2",
      FaultOrder(.apply(.defect(.bootloader(.jump(.returned, 2)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-late 1 55s for 2m",
      FaultOrder(
        .apply(.defect(.bootloader(.late(.seconds(55))))), on: [boards[0]], at: .seconds(100),
        lasts: .seconds(120))
    ),
    (
      "dfu-erase 1 85s",
      FaultOrder(.apply(.defect(.bootloader(.erasing(.seconds(85))))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-answer 1 start too-large",
      FaultOrder(
        .apply(.defect(.bootloader(.answer(.start, .tooLarge, 1)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-answer 1 validate silence 3",
      FaultOrder(.apply(.defect(.bootloader(.answer(.validate, nil, 3)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-receipts 1 wrong",
      FaultOrder(.apply(.defect(.bootloader(.receipt(.wrong, 1)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-drop 1 50",
      FaultOrder(.apply(.defect(.bootloader(.linkLost(percent: 50)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-drop-after 1 init",
      FaultOrder(
        .apply(.defect(.bootloader(.linkLostAfter(.initPacket, 1)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-flip 1",
      FaultOrder(.apply(.defect(.bootloader(.flippedBit(1)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-die 1 99",
      FaultOrder(.apply(.defect(.bootloader(.powerLost(percent: 99)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-activation 1 restless",
      FaultOrder(.apply(.defect(.bootloader(.activation(.restless, 1)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-jam 1 silent",
      FaultOrder(.apply(.defect(.bootloader(.jam(.silent, 1)))), on: [boards[0]], at: .seconds(100))
    ),
    (
      "dfu-buffer 1 4",
      FaultOrder(.apply(.defect(.bootloader(.buffer(4)))), on: [boards[0]], at: .seconds(100))
    ),
    ("stale-attributes 1", FaultOrder(.apply(.stale), on: [boards[0]], at: .seconds(100))),
    ("heal 1 dfu", FaultOrder(.heal(.bootloader), on: [boards[0]], at: .seconds(100))),
    ("heal 1 lose-write", FaultOrder(.heal(.loseWrite), on: [boards[0]], at: .seconds(100))),
    ("heal all", FaultOrder(.heal(nil), on: boards, at: .seconds(100))),
    ("heal 1 mute", FaultOrder(.heal(.mute), on: [boards[0]], at: .seconds(100))),
    ("adapter blocked for 1m", FaultOrder(.adapter(.blocked), at: .seconds(100), lasts: .seconds(60))),
    ("adapter renumbered", FaultOrder(.adapter(.renumbered), at: .seconds(100))),
    (
      "adapter off 1 for 1m",
      FaultOrder(.adapter(.off, number: 1), at: .seconds(100), lasts: .seconds(60))
    ),
    ("radio far for 1m", FaultOrder(.radio(.far), at: .seconds(100), lasts: .seconds(60))),
    ("radio usual", FaultOrder(.radio(nil), at: .seconds(100))),
    ("service gone for 3s", FaultOrder(.service(.gone), at: .seconds(100), lasts: .seconds(3))),
  ]

  @Test(arguments: lines)
  func `What a line says`(text: String, order: FaultOrder) throws {
    #expect(try Self.order(text) == order)
  }

  @Test(arguments: ["", "   ", "# only a remark", " # at 10s drop 3"])
  func `Empty lines and remarks are nothing`(text: String) throws {
    #expect(try Self.order(text) == nil)
  }

  @Test(arguments: [
    ("drpo 3", "there is no command \"drpo\"; did you mean drop?"), ("drop", "expected: drop BOARDS"),
    ("drop 3 4", "expected: drop BOARDS"), ("drop 10", "\"10\" names no board; there are 1 to 9"),
    ("at drop 3", "a duration is expected after \"at\""), ("after", "a duration is expected after \"after\""),
    ("at 5s", "a command is expected"), ("mute 3 for ever", "a duration is expected after \"for\""),
    ("drop 3 for 5s", "drop is over at once or by itself"),
    ("adapter renumbered for 5s", "adapter is over at once or by itself"),
    ("ignore 3 read", "expected: ignore BOARDS connect|disconnect|write"),
    ("battery 3 101", "a number from 0 to 100"), ("flood 3 0", "a number from 1 to 100000"),
    ("delay 3 fast", "expected: delay BOARDS DURATION"), ("adapter on", "expected: adapter off|blocked"),
    ("adapter off 8", "a number from 0 to 7 is expected"),
    ("refuse 3 no-name", "is no name of an error"), ("heal 3 pain", "expected: heal BOARDS"),
    ("lose-write 3 accelerometer", "expected: lose-write BOARDS MODULE REGISTER [COUNT]"),
    ("lose-write 3 acelerometer 03", "there is no module \"acelerometer\"; did you mean accelerometer?"),
    ("unreadable 3 led 40", "\"40\" is no register"), ("truncate 3 led 03 0", "a number from 1 to 100000"),
    ("impossible-values 3 mood", "expected: impossible-values BOARDS battery|temperature"),
    ("unknown-notifications 3", "expected: unknown-notifications BOARDS RATE"),
    ("dfu-answer 3 begin failed", "expected: dfu-answer BOARDS start|init|image"),
    ("dfu-answer 3 start fine", "expected: dfu-answer BOARDS"),
    ("dfu-drop 3 101", "a number from 0 to 100"), ("dfu-jump 3 up", "expected: dfu-jump BOARDS ignored|"),
    ("dfu-late 3 soon", "expected: dfu-late BOARDS DURATION"),
    ("radio bad", "expected: radio clear|office|crowded|far|failing|usual"),
    ("radio usual for 5s", "radio is over at once or by itself"),
    ("foreign-host 3 for 5s", "foreign-host is over at once or by itself"),
    ("service\u{7}", "there is no command \"service\\u{07}\""),
  ])
  func `What is wrong with a line is said, and what is expected`(text: String, sentence: String) {
    #expect { try Self.order(text) } throws: {
      ($0 as? FaultProblem)?.sentence.contains(sentence) == true
    }
  }

  @Test(arguments: FaultVerb.allCases)
  func `Every command has a form and a meaning`(verb: FaultVerb) {
    #expect(verb.form.hasPrefix(verb.rawValue) && !verb.meaning.isEmpty)
  }

  @Test func `No line makes it trap`() {
    var random = SeededGenerator(seed: 20_261_122)
    let words =
      ["at", "after", "for", "10s", "1-", "-", "all", "9", "18446744073709551616", "🙂", "#", "0x1"]
      + FaultVerb.allCases.map(\.rawValue) + StimulusVerb.allCases.map(\.rawValue) + ["nan", "-1", "high"]
    for _ in 0..<20_000 {
      let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }
      _ = try? FaultLine.parse(line.joined(separator: " "), boards: Self.boards)
    }
  }
}
