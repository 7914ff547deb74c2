import FleetModel

/// Which signal of the board a stream of the catalogue is (MQTT contract 2.2, 2.3).
struct StreamSignals: Sendable {
  private let board: Inventory

  init(_ board: Inventory) { self.board = board }

  /// Streams that the protocol reference calls otherwise.
  private static let names = ["euler": "euler-angles", "humidity": "relative-humidity"]
  private static let components = ["x": 0, "y": 1, "z": 2]

  /// The signal of a stream, or of one of its components; nil where the board cannot compute with it. Ranges come from
  /// the stream's configuration, or are the catalogue's.
  func signal(of stream: String, configured configuration: JSONObject = [:]) -> Signal? {
    if let signal = whole(stream, configuration) { return signal }
    guard let dash = stream.lastIndex(of: "-"), let signal = whole(String(stream[..<dash]), configuration)
    else { return nil }
    let component = String(stream[stream.index(after: dash)...])
    switch signal.address.register {
    case Battery.state: return ["pct": 0, "mv": 1][component].flatMap { signal.component($0) }
    case RootSignals.quaternion:
      return ["w": 0, "x": 1, "y": 2, "z": 3][component].flatMap { signal.component($0) }
    case RootSignals.euler:
      return ["heading": 0, "pitch": 1, "roll": 2, "yaw": 3][component].flatMap { signal.component($0) }
    default: return Self.components[component].flatMap { signal.component($0) }
    }
  }

  private func whole(_ stream: String, _ configuration: JSONObject) -> Signal? {
    if stream.hasPrefix("temperature-") {
      guard let source = Temperature.Source(named: String(stream.dropFirst(12))),
        let channel = board.temperature?.channel(of: source)
      else { return nil }
      return root("temperature", index: channel, configuration)
    }
    if stream.hasPrefix("gpio-") { return pin(stream, configuration) }
    return root(Self.names[stream] ?? stream, index: nil, configuration)
  }

  private func pin(_ stream: String, _ configuration: JSONObject) -> Signal? {
    let parts = stream.split(separator: "-").map(String.init)
    let kinds = ["adc": "adc", "voltage": "abs-ref", "digital": "digital", "change": "pin-monitor"]
    guard parts.count == 3, let pin = UInt8(parts[1]), let name = kinds[parts[2]],
      pin < board.modules[.gpio]?.extra.count ?? 0
    else { return nil }
    return root(name, index: pin, configuration)
  }

  private func root(_ name: String, index: UInt8?, _ configuration: JSONObject) -> Signal? {
    guard let root = RootSignals.find(named: name, on: board.accelerometer?.chip),
      board.has(root.register.module),
      root.isIndexed == (index != nil)
    else { return nil }
    let scales = SignalScales(
      acceleration: 32_768 / (configuration["range_g"]?.number ?? 4),
      rotation: 16.4 * 2_000 / (configuration["range_dps"]?.number ?? 2_000))
    return root.signal(index: index, scales)
  }
}
