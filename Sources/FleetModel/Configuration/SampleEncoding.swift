/// How a batch of samples is written on the broker, each on a lane of its own (MQTT API 2).
public enum SampleEncoding: String, Sendable, CaseIterable {
  /// The record object as JSON, on the lanes `record` and `log`.
  case json
  /// InfluxDB's line protocol with stamps in microseconds, on the lane `lp`.
  case lineProtocol = "lp"
  /// The record object as deterministic CBOR (RFC 8949, 4.2.1), on the lane `cbor`.
  case cbor
}
