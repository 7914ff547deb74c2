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
    identity.advertisedName = " \u{200B}"
    _ = identity.update(for: Self.desired(), at: .at(1))
    // Nothing of it can be seen (fault F212).
    #expect(identity.info?.name == BoardID.number(1).address.colonSeparated)
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

  private static func description(_ serial: String, firmware: String = "1") -> BoardDescription {
    BoardDescription(
      model: "Toy", modelNumber: "1", manufacturer: "", serialNumber: serial, hardwareRevision: "",
      firmwareRevision: firmware, imu: nil, modules: [:], slots: .init(), streams: [])
  }

  /// Takes one interview after the other. Returns what is told of each, and whether there is doubt then.
  private static func take(
    _ serials: [String], wanted: String? = nil
  ) -> [(event: EventDraft?, doubt: StatedReason?)] {
    var identity = Self.identity()
    return serials.map { serial in
      let found = description(serial)
      let event = identity.judge(found, wanted: wanted, wasMismatched: false)
      identity.description = found
      return (event, identity.doubt)
    }
  }

  @Test func `F165 another board at the address is told once, and in doubt until the first one is back`() {
    let told = Self.take(["A", "A", "B", "B", "C", "A"])
    #expect(told.map(\.event?.type) == [nil, nil, "changed", nil, "changed", "changed"])
    #expect(told.map { $0.doubt != nil } == [false, false, true, true, true, false])
    let fields = told[2].event?.fields
    #expect(fields?["changed"] == ["serial"])
    #expect(fields?["was"] == ["serial": "A", "model": "Toy"])
    #expect(fields?["is"] == ["serial": "B", "model": "Toy"])
    #expect(told[4].doubt?.code == .identityChanged)
    #expect(told[4].doubt?.sentence == "serial is \"C\" and was \"A\"")
  }

  @Test func `F165 a board that does not say who it is changes nothing, neither what is known nor the doubt`()
  {
    let told = Self.take(["A", "", "B", "", "A"])
    #expect(told.map(\.event?.type) == [nil, nil, "changed", nil, "changed"])
    #expect(told.map { $0.doubt != nil } == [false, false, true, true, false])
  }

  @Test func `F165 a configured serial number ends the doubt`() {
    let told = Self.take(["A", "B", "B"], wanted: "B")
    #expect(told.map(\.event?.type) == [nil, "changed", nil])
    #expect(told.allSatisfy { $0.doubt == nil })
    var identity = Self.identity()
    for serial in ["A", "B"] {
      _ = identity.judge(Self.description(serial), wanted: nil, wasMismatched: false)
    }
    let before = identity.doubt
    var desired = Self.desired()
    desired.serial = "b"
    _ = identity.update(for: desired, at: .at(0))
    #expect(before != nil && identity.doubt == nil)
  }

  @Test func `F165 that the board that is meant is back is told, and which one was not`() throws {
    var identity = Self.identity()
    let mismatch = try #require(IdentityMismatch(found: "B", wanted: "A"))
    let other = identity.mismatched(Self.description("B"), mismatch)
    let back = identity.judge(Self.description("A"), wanted: "A", wasMismatched: true)
    #expect(other.type == "mismatch" && other.fields["wanted"] == "A" && other.message == mismatch.sentence)
    #expect(back?.type == "restored")
  }
}
