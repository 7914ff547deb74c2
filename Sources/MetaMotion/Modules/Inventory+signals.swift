import FleetModel

extension Inventory {
  /// What a stream of the catalogue, or one of its components, is on the board; nil where the board has no such signal.
  /// Ranges come from the stream's configuration, or are the catalogue's.
  func signal(of stream: String, configured configuration: JSONObject = [:]) -> Signal? {
    guard let (definition, component) = StreamCatalogue.find(stream),
      let (signal, index) = declaration(of: definition.name)
    else { return nil }
    let whole = signal.signal(index: index, scales(of: signal, definition, configuration))
    return component.map { whole.value($0) } ?? whole
  }

  /// The signal that a whole stream is, and its index where there are several.
  func declaration(of stream: String) -> (signal: SensorSignal, index: UInt8?)? {
    for signal in SensorModules.signals(on: accelerometer?.chip) where has(signal.register.module) {
      if let index = signal.index {
        if let place = index.of(stream, self) { return (signal, place) }
      } else if signal.stream == stream {
        return (signal, nil)
      }
    }
    return nil
  }

  private func scales(
    of signal: SensorSignal, _ definition: StreamDefinition, _ configuration: JSONObject
  ) -> SignalScales {
    guard case .ranged(let range) = signal.values.scale else { return SignalScales() }
    let standard = definition.parameters.first { $0.name == range.key }?.standard
    return SignalScales().setting(range, to: (configuration[range.key] ?? standard)?.number)
  }
}
