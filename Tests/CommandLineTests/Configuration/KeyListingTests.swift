import FleetModel
import Testing

@testable import metafleet

@Suite struct KeyListingTests {
  private let objects = KeyListing.objects

  @Test func `every key has its path, its words and its default`() throws {
    let port = try #require(objects.first { $0["key"] == "mqtt.keepalive" })
    #expect(port["default"] == "20s")
    #expect(port["reload"] == "live")
    #expect(port["in_effect"] == true)
    let address = try #require(objects.first { $0["key"] == "boards[].address" })
    #expect(address["required"] == true)
    #expect(objects.contains { $0["key"]?.string?.hasPrefix("profiles.<name>.") == true })
  }

  @Test func `no key stands twice`() {
    let keys = objects.compactMap { $0["key"]?.string }
    #expect(Set(keys).count == keys.count)
    #expect(keys.count == objects.count)
  }
}
