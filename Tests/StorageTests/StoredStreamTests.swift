import FleetModel
import Testing

@testable import Storage

@Suite struct StoredStreamTests {
  private static let streams = [
    LoggedStream(
      name: "acceleration",
      fields: [.init("x", "g", .number, decimals: 4), .init("moving", "", .flag, decimals: 0)],
      slots: [0, 3],
      layout: [0, 255, 16],
      configuration: [
        "rate_hz": .number(100), "range_g": .integer(4), "unit/s": "\"m\"", "on": true, "off": .null,
        "chain": .array(["rms", .object(["average": .integer(16)])]),
      ], period: .milliseconds(10), isOurs: true),
    LoggedStream(name: "acc,4", fields: [], slots: [], layout: [], isOurs: false),
  ]

  /// As it was written before there was a JSON writer here, members in any order.
  private static let earlier = #"""
    [{"name":"acceleration","slots":[0,3],"layout":"AP8Q","isOurs":true,"period":10000000,
    "fields":[{"name":"x","unit":"g","kind":"number","decimals":4},{"kind":"flag","name":"moving","unit":"","decimals":0}],
    "configuration":{"members":[{"key":"rate_hz","value":{"number":100}},{"key":"range_g","value":{"whole":4}},
    {"value":{"text":"\"m\""},"key":"unit\/s"},{"key":"on","value":{"truth":true}},{"key":"off","value":{}},
    {"key":"chain","value":{"elements":[{"text":"rms"},{"members":[{"key":"average","value":{"whole":16}}]}]}}]}},
    {"fields":[],"name":"acc,4","slots":[],"layout":"","isOurs":false,"configuration":{"members":[]}}]
    """#

  private static func bare(_ streams: [LoggedStream]) -> [LoggedStream] {
    streams.map { stream in
      var stream = stream
      stream.fields = stream.fields.map { .init($0.name, $0.unit, $0.kind, decimals: $0.decimals) }
      return stream
    }
  }

  @Test func `a logger map comes back as it was, whole numbers as such and members in their order`() throws {
    let back = try StoredStream.decode(StoredStream.encode(Self.streams))
    #expect(Self.bare(back) == Self.streams)
    #expect(back[0].configuration.keys == Self.streams[0].configuration.keys)
  }

  @Test func `what an earlier version has written is read`() throws {
    #expect(Self.bare(try StoredStream.decode(Array(Self.earlier.utf8))) == Self.streams)
  }

  @Test func `a map that cannot be read is damage`() {
    for text in [
      "", "{}", "[1]", #"[{"name":"a"}]"#,
      #"[{"name":"a","fields":[],"slots":[],"layout":"?","isOurs":true}]"#,
    ] {
      #expect(throws: StoreFailure.corrupt("logger map")) { try StoredStream.decode(Array(text.utf8)) }
    }
  }
}
