import Testing

@testable import MetaMotion

/// Layouts as they are kept with a log, and taken apart for reading.
@Suite struct SampleLayoutRecordTests {
  private static let vector = SampleLayout.numbers(
    Numbers(channels: 3, width: 2, isSigned: true, scale: 16.4, unit: .dps))
  static let layouts: [SampleLayout] = [
    vector, .numbers(.plain(1)), .numbers(Numbers(channels: 4, width: 4, isFloat: true, unit: .deg)),
    .numbers(Numbers(width: 3, isSigned: true, scale: 256)),
    .record([.numbers(Numbers(width: 1, unit: .pct)), .numbers(Numbers(width: 2, unit: .mv))]),
    .prefixed(.init(kind: .tick, width: 4), vector), .prefixed(.init(kind: .number, width: 2), vector),
    .packed(4, .numbers(Numbers(width: 2, isSigned: true, scale: 8, unit: .c))),
    .packed(2, .prefixed(.init(kind: .tick, width: 4), .numbers(.plain(2)))),
    .prefixed(.init(kind: .number, width: 1), .packed(2, vector)), .record([vector, vector]),
    .record([.prefixed(.init(kind: .tick, width: 4), vector), .packed(3, .numbers(.plain(1)))]),
    .numbers(Numbers(width: 3, isSigned: true, isBigEndian: true)),
    .record([.numbers(Numbers(width: 2, isBigEndian: true)), .numbers(.plain(1))]),
  ]

  @Test(arguments: layouts) func `the record tells the layout`(_ layout: SampleLayout) {
    #expect(SampleLayout(encoded: layout.encoded) == layout)
  }

  @Test(arguments: layouts) func `damaged records tell nothing`(_ layout: SampleLayout) {
    let record = layout.encoded
    for length in record.indices { #expect(SampleLayout(encoded: Array(record.prefix(length))) == nil) }
    #expect(SampleLayout(encoded: record + [0]) == nil)
    #expect(SampleLayout(encoded: [record[0] + 1] + record.dropFirst()) == nil)
    #expect(SampleLayout(encoded: [record[0] - 1] + record.dropFirst()) == nil)
  }

  @Test func `only what older gateways do not know makes a record of the second version`() {
    #expect(Self.vector.encoded.first == 1)
    #expect(SampleLayout.numbers(Numbers(width: 2, isBigEndian: true)).encoded.first == 2)
  }

  @Test func `deep and empty records tell nothing`() {
    let number = SampleLayout.numbers(.plain(1))
    let deep = (0..<8).reduce(number) { inner, _ in .packed(255, inner) }
    #expect(SampleLayout(encoded: deep.encoded) == nil)
    #expect(SampleLayout(encoded: SampleLayout.record([]).encoded) == nil)
    #expect(SampleLayout(encoded: SampleLayout.packed(0, number).encoded) == nil)
    #expect(SampleLayout(encoded: SampleLayout.numbers(.plain(1, channels: 0)).encoded) == nil)
  }
}
