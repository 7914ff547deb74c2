import FleetModel

/// The ids by which a board tells its own reads of the buses apart, one for each stream: a logger or a processor takes
/// what was read with its id, whatever that was (protocol reference, section 18).
///
/// They come from the names, so that a gateway that was started anew finds what it has made, and one stream more leaves
/// the others' loggers and processors as they are. Where two names want the same id, the second one in the alphabet
/// takes the next free one.
struct BusIDs: Sendable {
  /// Who takes what is read. Each have ids of their own, because older firmware hands every read to both (section 2.2).
  enum Consumer: Sendable { case loggers, processors }

  private var ids: [String: UInt8] = [:]

  /// Gives ids to those of `streams` that are of buses. Throws `no-slots` where they are too many.
  init(_ streams: some Sequence<String>, for consumer: Consumer) throws(CommandFailure) {
    var taken: [BusStreams.Bus: Set<UInt8>] = [:]
    for stream in Set(streams).sorted() {
      guard let (bus, name) = BusStreams.parse(stream) else { continue }
      let all = Self.ids(of: bus, for: consumer)
      let wanted = all.lowerBound + UInt8(Self.hash(name) % UInt32(all.count))
      let inOrder = Array(wanted..<all.upperBound) + Array(all.lowerBound..<wanted)
      guard let id = inOrder.first(where: { taken[bus]?.contains($0) != true }) else {
        throw CommandFailure(
          .noSlots, "a board tells \(all.count) of its reads of one bus apart; \(stream) would be one more")
      }
      taken[bus, default: []].insert(id)
      ids[stream] = id
    }
  }

  /// That of a stream; nil for one of anything else.
  subscript(stream: String) -> UInt8? { ids[stream] }

  /// Half of those that direct reads leave: eight of SPI for as many loggers, and seven for processors.
  private static func ids(of bus: BusStreams.Bus, for consumer: Consumer) -> Range<UInt8> {
    let direct = bus == .i2c ? SerialBus.directI2C : SerialBus.directSPI
    let middle = direct / 2 + 1
    return consumer == .loggers ? 0..<middle : middle..<direct
  }

  /// FNV-1a of 32 bits: the same on every run, as Swift's own is not.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}

extension BoardProgram {
  /// The ids that a read by the board itself needs to reach who takes just what `command` reads.
  func busIDs(for command: BusCommand, _ consumer: BusIDs.Consumer) throws(CommandFailure) -> [UInt8] {
    let requests =
      switch consumer {
      case .loggers: Array(logs.values)
      case .processors:
        chains.values.flatMap { chain in
          chain.inputs.map { StreamRequest(name: $0, configuration: chain.configuration) }
        }
      }
    let ids = try BusIDs(requests.map(\.name), for: consumer)
    let readers = requests.filter { BusRegister($0.name, $0.configuration)?.command == command }
    return Set(readers.compactMap { ids[$0.name] }).sorted()
  }
}
