import FleetModel

/// A sensor that tells nothing by itself: all its streams are read, and nothing on the board runs for them.
protocol PolledSource: StreamSource {}

extension PolledSource {
  func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    guard let polled = order.polled else { throw order.needsPolling }
    return polled
  }

  func runs(_ chips: ChipUse) -> [SensorRun] { [] }
  var leftOver: [SensorRun] { [] }
  func routes(_ chips: ChipUse) -> [PacketRoute] { [] }
}

extension StreamOrder {
  /// Nobody said how often it is read.
  var needsPolling: CommandFailure { .invalid("\(name) is read by polling and needs \"every\"") }
}
