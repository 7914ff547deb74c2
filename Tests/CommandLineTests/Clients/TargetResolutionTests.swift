import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct TargetResolutionTests {
  @Test func `F247 where nothing is heard at all, the access list may be why`() {
    let empty = TargetResolution(fleet: FleetView(base: "metafleet"))
    for text in ["Pump 3", "gateway:g1"] {
      #expect {
        try empty.resolve(text)
      } throws: {
        ($0 as? CommandLineFailure)?.message.contains("access list") == true
      }
    }
  }

  private let resolution = TargetResolution(fleet: exampleFleet())

  @Test(
    arguments: [
      ("Pump 3", .board("e5a1c2d3f4b6")), ("pump 30", .board("e5a1c2d3f4b7")),
      ("lam", .board("c0ffee000001")),
      ("e5a1c2d3f4b6", .board("e5a1c2d3f4b6")), ("E5:A1:C2:D3:F4:B6", .board("e5a1c2d3f4b6")),
      ("E5:A1:C2:D3:F4:B7", .board("e5a1c2d3f4b7")), ("c0ffee000001", .board("c0ffee000001")),
      ("0123456789ab", .board("0123456789ab")), ("C0:FF:EE:00:00:03", .board("c0ffee000003")),
      ("pumps", .group("pumps")), ("group:east", .group("east")), ("group:all", .group("all")),
      ("all", .group("all")), ("gateway:g2", .gateway("g2")),
    ] as [(String, Expected)])
  func `ids, names, prefixes, groups and gateways`(_ text: String, _ expected: Expected) throws {
    #expect(try resolution.resolve(text) == expected.target)
  }

  @Test(
    arguments: [
      ("pum", "matches \"Pump 3\" (e5a1c2d3f4b6), \"Pump 30\" (e5a1c2d3f4b7)"), ("Twin", "c0ffee000004"),
      ("e5a1", "write more"), ("Pumb 3", "did you mean \"Pump 3\"?"), ("nothing", "there are"),
      ("east", "is both a board and a group; write c0ffee000002 or group:east"),
      ("group:wets", "there is no group"),
      ("group:eats", "did you mean east?"), ("gateway:g3", "there is no gateway"), ("", "there is no board"),
    ])
  func `ambiguous and unknown is usage, with what to write instead`(_ text: String, _ words: String) {
    #expect { try resolution.resolve(text) } throws: {
      guard let failure = $0 as? CommandLineFailure else { return false }
      return failure.status == .usage && failure.message.contains(words)
    }
  }

  @Test(arguments: [
    ("gateway:g2", "is a gateway; name one board"), ("group:pumps", "is a group; name one board"),
  ])
  func `where one board is asked for, a group or a gateway is called what it is`(
    _ text: String, _ words: String
  ) {
    #expect { try resolution.board(text) } throws: {
      ($0 as? CommandLineFailure)?.message.contains(words) == true
    }
  }

  @Test func `F89 names in messages are escaped`() {
    let fleet = FleetView(base: "metafleet")
    var other = fleet
    other.apply(topic: "metafleet/board/c0ffee000001/info", payload: Array(#"{"name":"x\u001b[2J"}"#.utf8))
    #expect { try TargetResolution(fleet: other).resolve("y") } throws: {
      ($0 as? CommandLineFailure)?.message.contains("\u{1B}") == false
    }
  }

  enum Expected: Sendable {
    case board(String)
    case group(String)
    case gateway(String)

    var target: CommandTarget? {
      switch self {
      case .board(let id): BoardID(id).map { .board($0) }
      case .group(let name): .group(name)
      case .gateway(let id): .gateway(id)
      }
    }
  }
}
