import FleetModel
import Testing

@testable import Storage

@Suite struct StoredFieldsTests {
  @Test func `fields come back as they were, what can be measured from the catalogue`() throws {
    let fields = try #require(StreamCatalogue.find("acceleration")?.stream.fields)
    #expect(try StoredFields.decode(StoredFields.encode(fields), of: "acceleration") == fields)
    let own: [StreamDefinition.Field] = [.init("x", "", .flag), .init("y_g", "g", .integer, decimals: 3)]
    #expect(try StoredFields.decode(StoredFields.encode(own), of: "a chain's") == own)
  }

  @Test(arguments: ["", "{}", "[1]", "[{\"name\":\"x\"}]"])
  func `what nobody has written is found to be damaged`(text: String) {
    #expect(throws: StoreFailure.self) { try StoredFields.decode(Array(text.utf8), of: "s") }
  }
}
