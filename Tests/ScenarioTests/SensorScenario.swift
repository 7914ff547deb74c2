import Dialects
import FleetModel
import Support
import Testing

/// Every sensor of both chips, from a command to a sample: the driver and the simulated firmware were written apart
/// from each other, and agree.
@Suite(.timeLimit(.minutes(20))) struct SensorScenario {
  /// Board 1 is an S with a BMI270, board 2 an RL with a BMI160.
  struct Start: Sendable, CustomTestStringConvertible {
    let board: Int
    let arguments: String
    var testDescription: String { "board \(board) \(arguments)" }
  }

  private static func starts(_ board: Int, _ arguments: [String]) -> [Start] {
    arguments.map { Start(board: board, arguments: $0) }
  }

  private static let starts =
    starts(
      1,
      [
        #""stream":"angular-velocity""#, #""stream":"angular-velocity","packed":"off""#,
        #""stream":"magnetic-field""#, #""stream":"magnetic-field-y","packed":"off""#,
        #""stream":"pressure""#, #""stream":"altitude""#, #""stream":"illuminance""#,
        #""stream":"any-motion""#, #""stream":"no-motion""#, #""stream":"significant-motion""#,
        #""stream":"steps""#, #""stream":"step""#, #""stream":"activity""#, #""stream":"wrist-gesture""#,
        #""stream":"wrist-wakeup""#, #""stream":"gpio-1-adc","every":"1s""#,
        #""stream":"gpio-2-digital","every":"1s""#, #""stream":"gpio-2-change""#,
        #""stream":"pressure","every":"1s""#, #""stream":"temperature-bmp280","every":"1s""#,
      ])
    + starts(
      2,
      [
        #""stream":"angular-velocity""#, #""stream":"angular-velocity","packed":"off""#,
        #""stream":"magnetic-field""#, #""stream":"any-motion""#, #""stream":"slow-motion""#,
        #""stream":"no-motion""#, #""stream":"significant-motion""#, #""stream":"low-g""#,
        #""stream":"high-g""#, #""stream":"tap""#, #""stream":"orientation""#, #""stream":"flat""#,
        #""stream":"step""#, #""stream":"steps","every":"1s""#, #""stream":"gpio-1-voltage","every":"1s""#,
      ])

  @Test(arguments: starts)
  func `a stream starts`(start: Start) async throws {
    let reply = try await Self.reply(to: start, stopping: nil)
    #expect(reply.contains("\"ok\":true"), "\(reply)")
    // What does not tell by itself is proved by what the board answers, where it can be asked.
    #expect(reply.contains("\"evidence\""))
  }

  private static let fusions = (1...2).flatMap { board in
    ["ndof", "imuplus", "compass", "m4g"].map {
      Start(board: board, arguments: "\"stream\":\"quaternion\",\"mode\":\"\($0)\"")
    }
      + [
        "euler", "gravity", "linear-acceleration", "corrected-acceleration", "corrected-angular-velocity",
        "corrected-magnetic-field",
      ].map { Start(board: board, arguments: "\"stream\":\"\($0)\"") }
  }

  @Test(arguments: fusions)
  func `fusion takes the accelerometer over`(start: Start) async throws {
    let reply = try await Self.reply(to: start, stopping: "acceleration")
    #expect(reply.contains("\"ok\":true"), "\(reply)")
    #expect(reply.contains("\"evidence\":\"response\""), "\(reply)")
  }

  @Test func `samples that are thinned out are a stream of their own rate from then on`() async throws {
    let board = Rig.boards(1)[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      let topic = "metafleet/board/\(board)/record/acceleration"
      let before = await rig.broker.text { $0.topic == topic }
      let mark = await rig.broker.mark
      let reply = await rig.command("sensor", #""do":"downsampling","acceleration":1"#, on: board)
      let after = await rig.broker.message(after: mark) { $0.topic == topic && $0.says("\"seq\":0,") }
      return [before, reply, after.text]
    }
    let texts = try #require(outcome)
    #expect(texts[1].contains("\"ok\":true"), "\(texts[1])")
    // Microseconds from sample to sample, on average.
    let periods = [texts[0], texts[2]].map { text -> Double in
      let times = text.matches(of: /"ts_us":([0-9]+)/).compactMap { Int($0.1) }
      return Double((times.last ?? 0) - (times.first ?? 0)) / Double(max(times.count - 1, 1))
    }
    #expect((1.5...2.5).contains(periods[1] / periods[0]), "\(periods)")
  }

  @Test func `fusion is refused while raw samples are streamed`() async throws {
    let start = Start(board: 1, arguments: #""stream":"quaternion""#)
    let reply = try await Self.reply(to: start, stopping: nil)
    #expect(reply.contains("\"code\":\"invalid\"") && reply.contains("sensor fusion owns the accelerometer"))
  }

  private static func reply(to start: Start, stopping stopped: String?) async throws -> String {
    let board = "metafleet/board/c0ffee00000\(start.board)"
    let outcome = try await Rig.play(at: .simulated, boards: 2) { rig in
      await rig.broker.text { $0.topic == "\(board)/record/acceleration" }
      if let stopped {
        await rig.broker.send(
          "\(board)/cmd/stream-stop", "{\"id\":\"stop\",\"args\":{\"stream\":\"\(stopped)\"}}")
        await rig.broker.text { $0.topic == "\(board)/reply/stream-stop" && $0.says("\"ok\"") }
      }
      await rig.broker.send("\(board)/cmd/stream-start", "{\"id\":\"one\",\"args\":{\(start.arguments)}}")
      return await rig.broker.text { $0.topic == "\(board)/reply/stream-start" && $0.says("\"ok\"") }
    }
    return try #require(outcome)
  }
}
