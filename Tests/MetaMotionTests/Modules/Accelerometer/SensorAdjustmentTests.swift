import Testing

@testable import MetaMotion

/// What samples are adjusted by: axes, offsets, downsampling.
struct SensorAdjustmentTests {
  @Test(
    arguments: [
      ("xyz", "03080088 00"), ("yzx", "030800 11 00"), ("zxy", "030800 42 00"), ("xzy", "030800 50 00"),
      ("yxz", "030800 81 00"), ("zyx", "030800 0a 00"), ("yx-z", "030800 81 01"), ("-x-y-z", "030800 ac 01"),
    ])
  func `9.4 the six permutations and their signs`(word: String, hex: String) throws {
    let order = try #require(AxisOrder(word))
    #expect(order.command == bytes(hex))
    #expect(order.word == word)
  }

  @Test(arguments: ["", "xy", "xxz", "xyzx", "x-y--z", "xyz-", "XYZ"])
  func `every axis is named once`(word: String) { #expect(AxisOrder(word) == nil) }

  @Test func `offsets go in steps`() {
    #expect([0.0039, -0.0039, 0.5, 9, -.infinity].map(AccelerationOffset.steps) == [1, -1, 127, 127, -128])
  }
}
