import FleetModel

/// Who takes on streams of the sensors that this driver knows, as far as a board has them.
struct StreamSources: Sendable {
  private static let known: [any StreamSource.Type] =
    SensorModules.all.flatMap { $0.sources } + [LogStateSource.self]

  private(set) var all: [any StreamSource]

  init(on board: Inventory) { all = Self.known.compactMap { $0.init(on: board) } }

  /// What may be chosen about a stream; nil when the board cannot produce it.
  func offers(for stream: StreamDefinition) -> JSONObject? {
    all.lazy.compactMap { $0.offers(for: stream) }.first
  }

  /// The place of the sensor that offers a stream.
  func index(for stream: StreamDefinition) -> Int? { all.firstIndex { $0.offers(for: stream) != nil } }

  /// Hands an order to the sensor at `index`.
  mutating func take(
    _ order: StreamOrder, at index: Int, _ chips: inout ChipUse
  ) throws(CommandFailure) -> StreamTaken { try all[index].take(order, &chips) }

  /// All that an earlier session may have left running.
  var leftOver: [SensorRun] { all.flatMap(\.leftOver) }
}
