import Testing

@testable import MetaMotion

struct SampleLayoutTests {
  private let celsius = SampleLayout.numbers(Numbers(width: 2, isSigned: true, scale: 8, unit: .c))

  @Test func `signs and scales`() {
    #expect(celsius.samples(in: bytes("f8ff")) == [.init(values: [-1])])
    let three = SampleLayout.numbers(Numbers(width: 3, isSigned: true))
    #expect(three.samples(in: bytes("ffffff")) == [.init(values: [-1])])
    let float = SampleLayout.numbers(Numbers(width: 4, isFloat: true))
    #expect(float.samples(in: bytes("0000803f")) == [.init(values: [1])])
  }

  @Test func `the highest byte may come first`() {
    let two = SampleLayout.numbers(Numbers(channels: 2, width: 2, isSigned: true, isBigEndian: true))
    #expect(two.samples(in: bytes("0102 fffe")) == [.init(values: [258, -2])])
    #expect(two.hasBigEndian && SampleLayout.packed(2, two).hasBigEndian && !celsius.hasBigEndian)
  }

  @Test func `packed then accounted`() {
    let layout = SampleLayout.prefixed(.init(kind: .tick, width: 4), .packed(2, celsius))
    #expect(layout.byteCount == 8)
    #expect(
      layout.samples(in: bytes("0a000000 0800 1000")) == [
        .init(values: [1], tick: 10), .init(values: [2], tick: 10),
      ])
  }

  @Test func `accounted then packed`() {
    let layout = SampleLayout.packed(2, .prefixed(.init(kind: .number, width: 1), celsius))
    #expect(layout.byteCount == 6)
    #expect(layout.elementLength == 3)
    #expect(
      layout.samples(in: bytes("01 0800 02 1000")) == [
        .init(values: [1], number: 1), .init(values: [2], number: 2),
      ])
  }

  @Test func `records join their parts`() {
    let layout = SampleLayout.record([celsius, .numbers(.plain(1))])
    #expect(layout.samples(in: bytes("080007")) == [.init(values: [1, 7])])
    #expect(layout.numbers == nil)
  }

  @Test func `too few bytes are no sample`() {
    #expect(celsius.samples(in: [1]) == nil)
    #expect(SampleLayout.packed(2, celsius).samples(in: [1, 2, 3]) == nil)
    #expect(SampleLayout.prefixed(.init(kind: .tick, width: 4), celsius).samples(in: [1, 2, 3]) == nil)
  }

  @Test(
    arguments: [(1.9, 15), (-1.9, -15), (.nan, 0), (1e300, 4_294_967_295)])
  func `counts are cut off and clamped`(value: Double, counts: Int64) {
    #expect(Numbers(width: 2, scale: 8, unit: .c).counts(value) == counts)
  }
}
