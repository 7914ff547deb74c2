import Testing

@testable import MetaMotion

struct SignalRecoveryTests {
  /// Recovers from a board that answers each question by its bytes; others meet silence.
  private func recover(_ answers: [String: String]) throws -> (SignalRecovery, asked: Int) {
    var recovery = SignalRecovery(try TestBoard.metaMotionS.inventory())
    var asked = 0
    while let question = recovery.question, asked < 1_000 {
      asked += 1
      let hex = question.register.read(question.selector).map { String($0, radix: 16) }
      let key = hex.map { $0.count < 2 ? "0" + $0 : $0 }.joined()
      recovery.take(answers[key].map { bytes($0) })
    }
    return (recovery, asked)
  }

  @Test func `loggers of one signal find each other`() throws {
    let (recovery, _) = try recover([
      "0b8200": "0b820304ff60", "0b8201": "0b821304ff60", "0b8202": "0b820304ff24", "0b8203": "0b821304ff24",
      "0b8204": "0b820304ff22", "0b8205": "0b82", "0b8206": "0b82", "0b8207": "0b82",
    ])
    #expect(recovery.signals.map(\.name) == ["acceleration", "angular-velocity", "acceleration[1]"])
    #expect(recovery.signals.map(\.loggers) == [[0, 2], [1, 3], [4]])
    #expect(recovery.signals.map { $0.layout?.byteCount } == [6, 6, 2])
  }

  @Test func `silence and FF are empty slots, too (trap T14)`() throws {
    let (recovery, _) = try recover(["0b8200": "0b82ffffffff", "0b8202": "0b82c1c1c1c1"])
    #expect(recovery.signals.isEmpty)
    #expect(!recovery.hasFailed)
  }

  @Test func `a board that tells nothing is not asked for ever`() throws {
    let (recovery, asked) = try recover([:])
    #expect(recovery.hasFailed)
    #expect(asked == 5)
  }

  @Test func `a ring of processors ends the walk`() throws {
    let (recovery, _) = try recover([
      "0b8200": "0b8209030060", "098200": "0982090301200207", "098201": "0982090300200207",
    ])
    #expect(recovery.signals.count == 1)
    #expect(recovery.signals[0].layout == nil)
  }

  @Test func `scales are the boards own`() throws {
    let (recovery, _) = try recover(["0383": "0383a803", "1383": "13832804", "0b8200": "0b820304ff20"])
    #expect(
      recovery.graph.scales
        == SignalScales().setting(Accelerometer.range, to: 16).setting(Gyroscope.range, to: 125))
  }
}
