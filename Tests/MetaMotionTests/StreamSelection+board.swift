import BoardKit
import FleetModel

@testable import MetaMotion

extension TestBoard {
  /// What these streams mean on this board, in the order given.
  func select(_ streams: [(String, JSONObject)], button: Bool = false) throws -> StreamSelection {
    let wanted = streams.enumerated().map {
      (StreamKey($0), StreamRequest(name: $1.0, configuration: $1.1))
    }
    return StreamSelection(
      Dictionary(uniqueKeysWithValues: wanted), button: button, on: try inventory())
  }

  /// All that starting these streams writes, as hexadecimal digits.
  func start(_ streams: [(String, JSONObject)]) throws -> [String] {
    let selection = try select(streams)
    if let refusal = selection.refused.values.first { throw refusal }
    let plan = StreamPlan(from: RunningSensors(), to: selection.setup, leftOver: [])
    return plan.start.compactMap { if case .write(let packet) = $0 { packet.hex } else { nil } }
  }

  /// Why one stream beside others cannot be had; nil when it can.
  func refusal(of stream: String, _ keys: JSONObject = [:], beside others: [(String, JSONObject)] = []) throws
    -> CommandFailure?
  {
    let selection = try select(others + [(stream, keys)])
    return selection.refused[StreamKey(others.count)]
  }

  /// The configuration that a stream effectively has.
  func effective(_ stream: String, _ keys: JSONObject, beside others: [(String, JSONObject)] = []) throws
    -> JSONObject?
  {
    try select(others + [(stream, keys)]).active.first { $0.key == StreamKey(others.count) }?
      .request.configuration
  }
}

extension StreamPlan {
  /// All that begins: settings, then subscriptions and starts.
  var start: [BoardStep] { configuration + starts() }
}
