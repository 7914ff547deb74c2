import FleetModel
import Testing

@testable import Storage

@Suite struct StoredPropertiesTests {
  private let properties = [
    UserProperty("user", "ada/\"1\""), UserProperty("user", ""), UserProperty("ü", "\n"),
  ]

  @Test func `properties come back in their order, and none are nothing`() throws {
    #expect(try StoredProperties.decode(StoredProperties.encode(properties)) == properties)
    #expect(StoredProperties.encode([]) == nil)
    #expect(try StoredProperties.decode(nil) == [])
  }

  @Test func `what an earlier version has written is read`() throws {
    let text = #"[{"value":"ada\/\"1\"","name":"user"},{"name":"user","value":""},{"name":"ü","value":"\n"}]"#
    #expect(try StoredProperties.decode(Array(text.utf8)) == properties)
  }

  @Test func `what cannot be read is damage`() {
    for text in ["", "{}", #"[{"name":"a"}]"#] {
      #expect(throws: StoreFailure.corrupt("user properties")) {
        try StoredProperties.decode(Array(text.utf8))
      }
    }
  }
}
