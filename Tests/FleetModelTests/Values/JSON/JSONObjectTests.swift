import FleetModel
import Testing

@Suite struct JSONObjectTests {
  @Test func `keeps the order in which it was written`() {
    var object: JSONObject = ["z": 1, "a": 2]
    object["m"] = 3
    object["z"] = 4
    #expect(object.keys == ["z", "a", "m"])
    #expect(object.members.map(\.value) == [4, 2, 3])
  }

  @Test func `assigning nil removes the member`() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = nil
    object["c"] = nil
    #expect(object.keys == ["b"])
    #expect(object.count == 1)
    object["a"] = 3
    #expect(object.keys == ["b", "a"])
  }

  @Test func `equality ignores the order`() {
    let one: JSONObject = ["a": 1, "b": ["c": 2, "d": 3]]
    let other: JSONObject = ["b": ["d": 3, "c": 2], "a": 1]
    #expect(one == other)
    #expect(Set([one, other]).count == 1)
    #expect(one != ["a": 1])
  }

  @Test func `of repeated keys the last value counts`() {
    let object = JSONObject([("a", 1), ("a", 2)])
    #expect(object.count == 1)
    #expect(object["a"] == 2)
  }

  @Test func `merging lays the other over`() {
    let base: JSONObject = ["a": 1, "b": 2]
    let merged = base.merging(["b": 3, "c": 4])
    #expect(merged == ["a": 1, "b": 3, "c": 4])
    #expect(merged.keys == ["a", "b", "c"])
    #expect(JSONObject().isEmpty && !merged.isEmpty)
  }
}
