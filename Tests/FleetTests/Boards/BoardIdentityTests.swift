import FleetModel
import Testing

@testable import Fleet

@Suite struct BoardIdentityTests {
  private static func desired(name: String? = nil) -> DesiredBoard {
    DesiredBoard(
      board: .number(1), origin: .file, name: name, profile: Profile(), groups: ["east"], labels: [:],
      isEnabled: true)
  }

  private static func identity() -> BoardIdentity {
    BoardIdentity(
      family: "toy", permissions: CommandLimits().permissions, advertisedName: nil, description: nil,
      interviewed: nil)
  }

  @Test func `the configured name comes before the advertised one, and that before the address`() {
    var identity = Self.identity()
    _ = identity.update(for: Self.desired(), at: .at(0))
    #expect(identity.info?.name == BoardID.number(1).address.colonSeparated)
    identity.advertisedName = "MetaWear"
    _ = identity.update(for: Self.desired(), at: .at(1))
    #expect(identity.info?.name == "MetaWear")
    _ = identity.update(for: Self.desired(name: "Pump"), at: .at(2))
    #expect(identity.info?.name == "Pump" && identity.info?.changed == .at(2))
  }

  @Test func `the document is told once, and again when it says something else`() {
    var identity = Self.identity()
    let isNew = identity.update(for: Self.desired(), at: .at(0))
    let told = identity.takeDue()
    #expect(isNew && told?.changed == .at(0))
    let isSame = identity.update(for: Self.desired(), at: .at(5))
    let nothing = identity.takeDue()
    #expect(!isSame && nothing == nil)
  }
}
