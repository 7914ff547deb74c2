import FleetModel
import Simulator

/// What somebody asks of simulated boards over a broker or over HTTP: lines as scripts have them, either as they are or
/// as `{"lines": "press 1 for 200ms", "id": "a"}`. Pure.
struct SimulatorRequest: Hashable, Sendable {
  /// Topic of requests, below the base.
  static let topic = "simulator/do"
  /// More lines are a script, which `--script` takes.
  static let mostLines = 1000

  /// Comes back in every answer.
  private(set) var id: String?
  /// In their order, without those that say nothing.
  private(set) var answers: [SimulatorAnswer] = []

  /// What is to happen.
  var orders: [FaultOrder] { answers.compactMap { try? $0.outcome.get() } }

  /// Reads a request that came `now`, where times of scripts count from the start and those of lines from then on.
  /// One that cannot be read as a whole has one answer, which says why.
  init(_ message: MQTTMessage, boards: [BluetoothAddress], at now: Duration) {
    do throws(FaultProblem) {
      // It would be carried out again at every start, long after somebody wanted it.
      guard !message.isRetained else {
        throw FaultProblem("retained messages are not obeyed; publish it without")
      }
      let text = try take(message.payload)
      let lines = text.split(whereSeparator: \.isNewline)
      guard lines.count <= Self.mostLines else {
        throw FaultProblem(
          "a message has at most \(Self.mostLines) lines, not \(lines.count); --script takes more")
      }
      var previous = now
      for line in lines { answer(String(line), boards, after: &previous) }
    } catch {
      answers = [SimulatorAnswer(line: nil, outcome: .failure(error))]
    }
  }

  private mutating func answer(_ line: String, _ boards: [BluetoothAddress], after previous: inout Duration) {
    do throws(FaultProblem) {
      guard let order = try FaultLine.parse(line, boards: boards)?.order(after: previous) else { return }
      previous = order.at
      answers.append(SimulatorAnswer(line: line, outcome: .success(order)))
    } catch {
      answers.append(SimulatorAnswer(line: line, outcome: .failure(error)))
    }
  }

  /// The lines; notes the id.
  private mutating func take(_ payload: [UInt8]) throws(FaultProblem) -> String {
    let limits = JSONLimits()
    guard payload.count <= limits.bytes else {
      throw FaultProblem("the message has \(payload.count) bytes; \(limits.bytes) are allowed")
    }
    guard payload.first(where: { !Self.blanks.contains($0) }) == UInt8(ascii: "{") else {
      guard let text = String(validating: payload, as: UTF8.self) else {
        throw FaultProblem("the message is not valid UTF-8")
      }
      return text
    }
    var (object, wider) = (nil as JSONObject?, limits)
    wider.stringBytes = limits.bytes
    do throws(JSONProblem) { object = try StrictJSON.parse(payload, limits: wider).object } catch {
      throw FaultProblem("the message is not acceptable JSON: \(error.message) (byte \(error.offset))")
    }
    guard let object, let lines = object["lines"]?.string,
      object.members.allSatisfy({ ["lines", "id"].contains($0.key) })
    else {
      throw FaultProblem(#"an object is expected as {"lines": "press 1 for 200ms"}, with id or without"#)
    }
    if let id = object["id"] {
      guard let text = id.string, (1...64).contains(text.utf8.count) else {
        throw FaultProblem("id is a text of 1 to 64 bytes")
      }
      self.id = text
    }
    return lines
  }

  private static let blanks = Set(" \t\r\n".utf8)
}

/// What becomes of a line.
struct SimulatorAnswer: Hashable, Sendable {
  /// Topic of answers, below the base.
  static let topic = "simulator/done"
  /// More of a line is not repeated.
  private static let longestLine = 200

  /// Nil where the request could not be read as a whole.
  let line: String?
  let outcome: Result<FaultOrder, FaultProblem>

  /// `{"id":"a","line":"press 1","ok":true,"at_s":12.5,"boards":["c0ffee000001"]}`, or with `ok` false and `error`.
  func json(id: String?) -> JSONObject {
    var object = JSONObject()
    if let id { object["id"] = .string(id) }
    if let line { object["line"] = .string(String(line.prefix(Self.longestLine))) }
    switch outcome {
    case .success(let order):
      object["ok"] = .bool(true)
      object["at_s"] = .number(order.at.inSeconds)
      object["boards"] = .array(order.boards.map { .string(BoardID($0).description) })
    case .failure(let problem):
      object["ok"] = .bool(false)
      object["error"] = .string(problem.sentence)
    }
    return object
  }
}
