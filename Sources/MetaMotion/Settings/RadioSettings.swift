import BoardKit
import FleetModel

/// How the board's radio behaves (protocol reference, section 20).
enum RadioSettings {
  static let connection = Register(.settings, 0x09)
  static let forceOneMegabit = Register(.settings, 0x1D)
  /// Fires when the link ends; events alone hear it.
  static let disconnection = Register(.settings, 0x0A)
  /// The supply that sensors on the pads can use.
  static let regulator = Register(.settings, 0x1C)

  /// What a board asks of the central, which has the last word.
  struct Connection: Hashable, Sendable {
    /// Time between two exchanges, in steps of 1.25 ms.
    var interval: ClosedRange<Duration>
    /// How many exchanges the board may sleep through.
    var latency: UInt16 = 0
    /// How long nothing may be heard until the link counts as lost, in steps of 10 ms.
    var timeout: Duration

    /// For links that break again and again: half the exchanges, and six seconds to come through.
    static let conservative = Connection(
      interval: .milliseconds(50)...(.milliseconds(100)), timeout: .seconds(6))

    init(interval: ClosedRange<Duration>, latency: UInt16 = 0, timeout: Duration) {
      (self.interval, self.latency, self.timeout) = (interval, latency, timeout)
    }

    /// Reads the answer to a read of `connection`; nil when it is none.
    init?(_ reply: [UInt8]) {
      guard let shortest = reply.number(at: 2, as: UInt16.self),
        let longest = reply.number(at: 4, as: UInt16.self), shortest <= longest,
        let latency = reply.number(at: 6, as: UInt16.self), let timeout = reply.number(at: 8, as: UInt16.self)
      else { return nil }
      self.init(
        interval: .microseconds(1250 * Int64(shortest))...(.microseconds(1250 * Int64(longest))),
        latency: latency, timeout: .milliseconds(10 * Int64(timeout)))
    }

    /// Under the contract's keys.
    var contractKeys: JSONObject {
      [
        "min_ms": .number(interval.lowerBound / .milliseconds(1)),
        "max_ms": .number(interval.upperBound / .milliseconds(1)), "latency": .integer(Int64(latency)),
        "supervision_ms": .number(timeout / .milliseconds(1)),
      ]
    }

    var command: [UInt8] {
      let steps = [
        interval.lowerBound / .microseconds(1250), interval.upperBound / .microseconds(1250), Double(latency),
        timeout / .milliseconds(10),
      ]
      return connection.write(
        steps.flatMap { step in
          let value = UInt16(exactly: step.rounded()) ?? .max
          return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        })
    }
  }

  /// The contract's keys that `conservativeParameters` overrules.
  static let conservativeKeys: Set<String> = ["connection", "force_1m_phy"]

  /// The writes that make a link slower and sturdier, as far as this board's settings know how: the slow, robust
  /// radio mode, and conservative connection parameters (fault F27).
  static func conservativeParameters(_ settings: BoardDescription.Module?) -> [[UInt8]] {
    guard let revision = settings?.revision else { return [] }
    var commands: [[UInt8]] = []
    if revision >= 10 { commands.append(forceOneMegabit.write(1)) }
    if revision >= 1 { commands.append(Connection.conservative.command) }
    return commands
  }
}
