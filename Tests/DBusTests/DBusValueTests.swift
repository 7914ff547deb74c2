import Testing

@testable import DBus

@Suite struct DBusValueTests {
  @Test(arguments: [
    (DBusValue.byte(1), "y"), (.boolean(true), "b"), (.int16(1), "n"), (.uint16(1), "q"), (.int32(1), "i"),
    (.uint32(1), "u"), (.int64(1), "x"), (.uint64(1), "t"), (.double(1), "d"), (.string(""), "s"),
    (.objectPath("/"), "o"), (.signature(""), "g"), (.bytes([]), "ay"), (.array(of: "as", []), "aas"),
    (.properties([:]), "a{sv}"), (.structure([.byte(1), .variant(.string(""))]), "(yv)"),
    (.dictionary(of: "oa{sa{sv}}", [:]), "a{oa{sa{sv}}}"),
  ])
  func `signatures`(value: DBusValue, signature: String) throws {
    #expect(value.signature == signature)
    try value.check()
  }

  @Test(arguments: [
    DBusValue.string("a\0b"), .objectPath(""), .objectPath("no/slash"), .objectPath("/trailing/"),
    .objectPath("/ä"),
    .signature("a"), .signature("z"), .structure([]), .array(of: "ss", []), .array(of: "", []),
    .array(of: "y", []),
    .array(of: "s", [.byte(1)]), .dictionary(of: "vs", [:]), .dictionary(of: "s", [:]),
    .dictionary(of: "sv", [.string("k"): .string("not a variant")]), .variant(.structure([])),
    .array(of: "a\0s", []),
  ])
  func `what breaks the rules is not sendable`(value: DBusValue) {
    #expect(throws: DBusFailure.self) { try value.check() }
  }

  @Test func `nesting without end is not sendable`() {
    var value = DBusValue.byte(0)
    for _ in 0..<10_000 { value = .variant(value) }
    #expect(throws: DBusFailure.notSendable("containers nested too deeply")) { try value.check() }
  }

  @Test func `a taken descriptor is not sendable`() throws {
    let descriptor = DBusDescriptor(owning: -1)
    #expect(throws: DBusFailure.self) { try DBusValue.descriptor(descriptor).check() }
  }

  @Test func `reading looks through variants and never converts`() {
    #expect(DBusValue.variant(.variant(.string("x"))).text == "x")
    #expect(DBusValue.objectPath("/x").text == "/x")
    #expect(DBusValue.variant(.int16(-70)).integer == -70)
    #expect(DBusValue.uint64(.max).integer == nil)
    #expect(DBusValue.string("1").integer == nil)
    #expect(DBusValue.uint32(1).flag == nil)
    #expect(DBusValue.array(of: "s", []).byteArray == nil)
    #expect(DBusValue.strings(["a"]).elements == [.string("a")])
    let properties = DBusValue.properties(["RSSI": .int16(-70)])
    #expect(properties.namedValues == ["RSSI": .int16(-70)])
    #expect(DBusValue.dictionary(of: "qv", [.uint16(1): .variant(.byte(0))]).namedValues == nil)
  }
}
