import BoardKit
import Testing

@testable import BlueZ

@Suite struct AttributePathsTests {
  @Test func `a characteristic has a path, and a path its characteristic`() {
    let word = Characteristic(service: AttributeUUID(assigned: 1), uuid: AttributeUUID(assigned: 2))
    let other = Characteristic(service: AttributeUUID(assigned: 1), uuid: AttributeUUID(assigned: 3))
    let paths = AttributePaths([word: "/char1"])
    #expect(paths[word] == "/char1" && paths[other] == nil)
    #expect(paths.characteristic(at: "/char1") == word && paths.characteristic(at: "/") == nil)
  }
}
