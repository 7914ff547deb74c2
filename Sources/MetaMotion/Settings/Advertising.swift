import BoardKit
import FleetModel

/// How the board advertises (protocol reference, section 20).
struct Advertising: Hashable, Sendable {
  /// What the registers hold: milliseconds at revision 0, steps of 0.625 ms since.
  var intervalSteps: UInt16
  /// In seconds, at most 180; 0 = for ever.
  var timeoutSeconds: UInt8 = 0
  /// Whether it calls one host alone; the firmware knows from revision 6 on.
  var isDirected = false

  static let register = Register(.settings, 0x02)
  static let start = Register(.settings, 0x05).write()
  static let firstRevisionWithSteps: UInt8 = 1
  static let firstRevisionWithType: UInt8 = 6
  private static let stepMilliseconds = 0.625

  init(intervalSteps: UInt16, timeoutSeconds: UInt8 = 0, isDirected: Bool = false) {
    (self.intervalSteps, self.timeoutSeconds, self.isDirected) = (intervalSteps, timeoutSeconds, isDirected)
  }

  /// Takes an interval, cut off to what the board counts in.
  init(milliseconds: Double, timeoutSeconds: UInt8 = 0, isDirected: Bool = false, revision: UInt8) {
    let steps = revision >= Self.firstRevisionWithSteps ? milliseconds / Self.stepMilliseconds : milliseconds
    let whole = steps.isFinite ? min(max(steps, 0), 65_535) : 0
    self.init(intervalSteps: UInt16(whole), timeoutSeconds: timeoutSeconds, isDirected: isDirected)
  }

  /// Reads the answer to a read; nil when it is none.
  init?(_ reply: [UInt8]) {
    guard let steps = reply.number(at: 2, as: UInt16.self), let timeout = reply.number(at: 4, as: UInt8.self)
    else { return nil }
    self.init(
      intervalSteps: steps, timeoutSeconds: timeout, isDirected: reply.number(at: 5, as: UInt8.self) == 1)
  }

  func milliseconds(revision: UInt8) -> Double {
    Double(intervalSteps) * (revision >= Self.firstRevisionWithSteps ? Self.stepMilliseconds : 1)
  }

  /// Under the contract's keys.
  func contractKeys(revision: UInt8) -> JSONObject {
    var keys: JSONObject = [
      "interval_ms": .number(milliseconds(revision: revision)), "timeout_s": .integer(Int64(timeoutSeconds)),
    ]
    if isDirected { keys["directed"] = true }
    return keys
  }

  func command(revision: UInt8) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(number: intervalSteps)
    payload.append(timeoutSeconds)
    if revision >= Self.firstRevisionWithType { payload.append(isDirected ? 1 : 0) }
    return Self.register.write(payload)
  }
}
