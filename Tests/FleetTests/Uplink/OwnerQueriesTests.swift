import FleetModel
import Testing

@testable import Fleet

@Suite struct OwnerQueriesTests {
  @Test func `whoever asks for a board hears its gateway, and the last of them ends the subscription`() {
    var queries = OwnerQueries()
    queries.saw(.number(1), owner: "early")
    queries.begin(.number(1))
    queries.begin(.number(1))
    #expect(!queries.isLast(.number(1)))
    queries.saw(.number(1), owner: "north")
    queries.saw(.number(2), owner: "south")
    let first = queries.end(.number(1))
    #expect(queries.isLast(.number(1)))
    let second = queries.end(.number(1))
    queries.begin(.number(1))
    let later = queries.end(.number(1))
    #expect(first == "north" && second == "north" && later == nil)
  }

  @Test func `other gateways count from when somebody asks`() {
    var queries = OwnerQueries()
    queries.saw(gateway: "north")
    queries.beginGateways()
    #expect(queries.isLastForGateways)
    queries.beginGateways()
    #expect(!queries.isLastForGateways)
    let first = queries.endGateways()
    queries.saw(gateway: "north")
    let second = queries.endGateways()
    queries.beginGateways()
    let later = queries.endGateways()
    #expect(!first && second && !later)
  }
}
