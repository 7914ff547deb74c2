import Synchronization

/// How a batch of samples is written on the broker, each on a lane of its own (MQTT API 2).
public enum SampleEncoding: String, Sendable, CaseIterable {
  /// The record object as JSON, on the lanes `record` and `log`.
  case json
  /// InfluxDB's line protocol with stamps in microseconds, on the lane `lp`.
  case lineProtocol = "lp"
  /// The record object as deterministic CBOR (RFC 8949, 4.2.1), on the lane `cbor`.
  case cbor
}

/// The encodings that are in effect, which a reload changes while batches are written. One instance per gateway.
public final class SampleEncodings: Sendable {
  private let encodings: Mutex<Set<SampleEncoding>>

  /// Begins with these.
  public init(_ encodings: Set<SampleEncoding> = [.json]) { self.encodings = Mutex(encodings) }

  /// Those that are in effect, in the order of their declaration. The first one counts the samples.
  public var current: [SampleEncoding] {
    let chosen = encodings.withLock { $0 }
    return SampleEncoding.allCases.filter(chosen.contains)
  }

  /// Others take effect with the next batch.
  public func change(to chosen: Set<SampleEncoding>) { encodings.withLock { $0 = chosen } }
}
