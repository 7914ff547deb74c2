import FleetModel

@testable import Dialects

/// What a batch of a stream holds, as it is written; and which columns a database makes of it.
enum SampleContract {
  /// Streams that carry samples, with one of the pins' of each kind.
  static let streams: [StreamDefinition] =
    StreamCatalogue.all.filter { $0.outlet == .stream }
    + PinStreams.Kind.allCases.compactMap { StreamCatalogue.find(PinStreams.name(0, $0))?.stream }

  /// A batch of which everything is said that can be.
  static func batch(of stream: StreamDefinition) -> JSON {
    let text = String(decoding: SampleCodec.record(full(of: stream), gateway: "demo"), as: UTF8.self)
    return (try? JSON(text)) ?? .null
  }

  /// Fields of its lines in line protocol.
  static func columns(of stream: StreamDefinition) -> Set<String> {
    let line = String(decoding: LineProtocol.lines(full(of: stream), gateway: "demo"), as: UTF8.self)
    return Set(line.matches(of: /[ ,](\w+)=/).map { String($0.1) })
  }

  /// Tags of its lines.
  static let tags: Set<String> = ["board", "gw", "origin"]

  /// Fields that a database has to keep as whole numbers, of whatever stream.
  static let integers = Set(
    streams.flatMap(\.fields).filter { $0.kind != .number }.map(\.name)
      // What boards log of detectors (MQTT contract 2.4).
      + StreamCatalogue.all.filter { $0.outlet == .event }.map {
        "\($0.name.replacing("-", with: "_"))_flags"
      })

  private static func full(of stream: StreamDefinition) -> SampleBatch {
    let now = Timestamp(milliseconds: 1)
    var random = SystemRandomNumberGenerator()
    var batch = SampleBatch(
      board: BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0001)), stream: stream.name,
      fields: stream.fields,
      session: ULID(at: now, using: &random), boot: 1, sequence: 0, gapBefore: 1,
      clock: ClockQuality(source: .boardTick, errorMilliseconds: 1), configuration: [:])
    batch.times = [now]
    batch.values = stream.fields.map { _ in 1 }
    batch.doubts = [.rateLow]
    return batch
  }
}
