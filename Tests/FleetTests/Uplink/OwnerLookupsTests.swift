import FleetModel
import Testing

@testable import Fleet

@Suite struct OwnerLookupsTests {
  @Test("whoever asks for a board hears its gateway, and the last of them ends the subscription")
  func boards() {
    var lookups = OwnerLookups()
    lookups.saw(.number(1), owner: "early")
    lookups.begin(.number(1))
    lookups.begin(.number(1))
    #expect(!lookups.isLast(.number(1)))
    lookups.saw(.number(1), owner: "north")
    lookups.saw(.number(2), owner: "south")
    let first = lookups.end(.number(1))
    #expect(lookups.isLast(.number(1)))
    let second = lookups.end(.number(1))
    lookups.begin(.number(1))
    let later = lookups.end(.number(1))
    #expect(first == "north" && second == "north" && later == nil)
  }

  @Test("other gateways count from when somebody asks")
  func gateways() {
    var lookups = OwnerLookups()
    lookups.saw(gateway: "north")
    lookups.beginGateways()
    #expect(lookups.isLastForGateways)
    lookups.beginGateways()
    #expect(!lookups.isLastForGateways)
    let first = lookups.endGateways()
    lookups.saw(gateway: "north")
    let second = lookups.endGateways()
    lookups.beginGateways()
    let later = lookups.endGateways()
    #expect(!first && second && !later)
  }
}
