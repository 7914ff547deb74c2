import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct ForgetChoiceTests {
  private static func choice(
    _ target: String?, never: Bool = false, block: Bool = false, drop: Bool = false, gone: Bool = false
  ) -> ForgetChoice {
    ForgetChoice(target: target, neverConnected: never, block: block, dropData: drop, gone: gone)
  }

  @Test func `each of the four has its words`() throws {
    let adapter = try #require(AdapterID("001a7dda7113"))
    #expect(Self.choice("Pump 3").kind == .board("Pump 3"))
    #expect(Self.choice("adapter:00:1A:7D:DA:71:13").kind == .adapter(adapter))
    #expect(Self.choice("gateway:floor-2", gone: true).kind == .gateway("floor-2"))
    #expect(Self.choice(nil, never: true).kind == .neverConnected)
    for choice in [
      Self.choice("Pump 3", block: true, drop: true), Self.choice("adapter:001a7dda7113"),
      Self.choice("gateway:floor-2", gone: true), Self.choice(nil, never: true),
    ] { #expect(choice.fault == nil) }
  }

  private static let faulty: [ForgetChoice] = [
    choice(nil), choice("Pump 3", never: true), choice("Pump 3", gone: true), choice("gateway:floor-2"),
    choice("gateway:", gone: true), choice("gateway:a/b", gone: true), choice("gateway:#", gone: true),
    choice("gateway:floor-2", block: true, gone: true), choice("adapter:hci0"),
    choice("adapter:001a7dda7113", drop: true), choice("adapter:001a7dda7113", gone: true),
  ]

  @Test(arguments: faulty)
  func `F220 what cannot be meant is refused before anything is done`(choice: ForgetChoice) {
    #expect(choice.fault != nil)
  }

  @Test func `the gateway is asked for what is meant`() throws {
    let fleet = exampleFleet()
    #expect(
      try Self.choice("adapter:001a7dda7113").arguments(in: fleet) == ["adapter": "001a7dda7113"])
    #expect(try Self.choice("adapter:001a7dda7113").board(in: fleet) == nil)
    #expect(
      try Self.choice("Pump 3", block: true).arguments(in: fleet)
        == ["keep_data": true, "board": "e5a1c2d3f4b6", "block": true])
  }
}
