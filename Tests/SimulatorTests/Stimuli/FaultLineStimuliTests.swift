import FleetModel
import Testing

@testable import Simulator

struct FaultLineStimuliTests {
  private static let boards = (1...9).map { BoardIdentity(number: $0).address }

  private static func order(_ text: String) throws -> FaultOrder? {
    try FaultLine.parse(text, boards: boards)?.order(after: .seconds(100))
  }

  private static let lines: [(String, Stimulus)] = [
    ("press 1", .press), ("release 1", .release), ("tap 1", .motion(.tap)),
    ("double-tap 1", .motion(.doubleTap)),
    ("shake 1", .motion(.shake(.seconds(2)))), ("shake 1 500ms", .motion(.shake(.milliseconds(500)))),
    ("fall 1", .motion(.fall(.milliseconds(300)))), ("fall 1 1s", .motion(.fall(.seconds(1)))),
    ("walk 1", .motion(.walk(steps: 10, interval: .milliseconds(500)))),
    ("walk 1 43", .motion(.walk(steps: 43, interval: .milliseconds(500)))),
    ("walk 1 43 330ms", .motion(.walk(steps: 43, interval: .milliseconds(330)))),
    ("turn 1 landscape-left", .motion(.turn(.landscapeLeft))),
    ("turn 1 face-up", .motion(.turn(.faceUp))),
    ("gesture 1 flick-out", .motion(.gesture(code: 5))), ("gesture 1 wake-up", .motion(.raiseWrist)),
    ("pin 1 0 high", .pin(0, .high)), ("pin 1 2 low", .pin(2, .low)), ("pin 1 2 open", .pin(2, .open)),
    ("pin 1 3 1250", .pin(3, .millivolts(1250))),
    ("charger 1 on", .charger(isPluggedIn: true)), ("charger 1 off", .charger(isPluggedIn: false)),
    ("light 1 0", .surroundings(.light, 0)), ("light 1 usual", .surroundings(.light, nil)),
    ("temperature 1 -12.5", .surroundings(.temperature, -12.5)),
    ("pressure 1 98000", .surroundings(.pressure, 98_000)),
    ("humidity 1 70", .surroundings(.humidity, 70)),
  ]

  @Test(arguments: lines)
  func `What a line says`(text: String, stimulus: Stimulus) throws {
    #expect(
      try Self.order(text) == FaultOrder(.stimulus(stimulus), on: [Self.boards[0]], at: .seconds(100)))
  }

  @Test(arguments: lines)
  func `What is done can be said as a line again`(text: String, stimulus: Stimulus) throws {
    let words = "\(stimulus)".split(separator: " ", maxSplits: 1)
    let line = ([String(words[0]), "1"] + words.dropFirst().map(String.init)).joined(separator: " ")
    #expect(try Self.order(line)?.fault == .stimulus(stimulus))
  }

  @Test func `A press lasts as long as it is said, on all boards that are named`() throws {
    #expect(
      try Self.order("at 5s press 2-3 for 200ms")
        == FaultOrder(
          .stimulus(.press), on: [Self.boards[1], Self.boards[2]], at: .seconds(5), lasts: .milliseconds(200))
    )
  }

  @Test(arguments: [
    ("pres 1", "there is no command \"pres\"; did you mean press?"), ("press", "expected: press BOARDS"),
    ("tap 1 hard", "expected: tap BOARDS"), ("tap 10", "\"10\" names no board"),
    ("tap 1 for 5s", "tap is over at once or by itself, so it cannot have \"for\"; expected: tap BOARDS"),
    ("release 1 for 5s", "release is over at once or by itself"),
    ("charger 1 off for 1s", "charger is over at once or by itself"),
    ("shake 1 0s", "a duration of more than nothing, up to an hour"),
    ("fall 1 2h", "a duration of more than nothing, up to an hour"),
    ("shake 1 hard", "expected: shake BOARDS [DURATION]"), ("walk 1 0", "a number from 1 to 100000"),
    ("turn 1 left", "expected: turn BOARDS face-up|face-down|upright|upside-down|landscape-left|"),
    ("gesture 1 wave", "expected: gesture BOARDS push-down|pivot-up|shake|flick-in|flick-out|wake-up"),
    ("pin 1 high", "a number from 0 to 255"), ("pin 1 0 5001", "a number from 0 to 5000"),
    ("pin 1 0", "expected: pin BOARDS NUMBER high|low|open|MILLIVOLTS"),
    ("charger 1 in", "expected: charger BOARDS on|off"),
    ("temperature 1 warm", "temperature BOARDS CELSIUS|usual: a number from -40 to 85, or usual"),
    ("temperature 1 nan", "a number from -40 to 85"), ("light 1 -1", "a number from 0 to 100000"),
    ("pressure 1 980", "a number from 30000 to 110000"), ("humidity 1 101", "a number from 0 to 100"),
  ])
  func `What is wrong with a line is said, and what is expected`(text: String, sentence: String) {
    #expect { try Self.order(text) } throws: {
      ($0 as? FaultProblem)?.sentence.contains(sentence) == true
    }
  }

  @Test(arguments: StimulusVerb.allCases)
  func `Every command has a form and a meaning, and is no other`(verb: StimulusVerb) {
    #expect(verb.form.hasPrefix("\(verb.rawValue) BOARDS") && !verb.meaning.isEmpty)
    #expect(FaultVerb(rawValue: verb.rawValue) == nil)
  }
}
