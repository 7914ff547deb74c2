import FleetModel

/// The streams this very board can produce: those of the catalogue whose module, chip or channel is there.
struct StreamOffers {
  private let inventory: Inventory

  init(_ inventory: Inventory) { self.inventory = inventory }

  /// In the order of the catalogue, those of pins last, each with what may be chosen (MQTT contract 1.1).
  var streams: [BoardDescription.Stream] {
    let sources = StreamSources(on: inventory)
    let pins = PinSource.streams(on: inventory).compactMap { StreamCatalogue.find($0)?.stream }
    return (StreamCatalogue.all + pins).compactMap { definition in
      sources.offers(for: definition).map {
        .init(
          name: definition.name, offers: $0,
          isLoggable: LogCompiler.canLog(definition, on: inventory, by: sources))
      }
    }
  }
}
