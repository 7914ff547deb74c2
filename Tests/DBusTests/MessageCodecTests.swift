import Testing

@testable import DBus

/// Values written into a message of libdbus and read back from it.
@Suite struct MessageCodecTests {
  private func roundTrip(_ values: [DBusValue]) throws -> [DBusValue] {
    let message = try DBusMessage.signal(DBusSignal("/", "a.b", "C", values), to: nil)
    return try MessageReader.values(of: message.pointer)
  }

  @Test(arguments: [
    DBusValue.byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min),
    .uint32(.max),
    .int64(.min), .uint64(.max), .double(-0.1), .double(.infinity), .string(""), .string("Grüße 🐝"),
    .objectPath("/org/bluez/hci0"), .signature("a{sv}"), .bytes([]), .bytes([0, 1, 255]),
    .array(of: "s", []), .strings(["a", ""]), .array(of: "ay", [.bytes([1]), .bytes([])]),
    .array(of: "a{sv}", [.properties([:])]), .array(of: "(yay)", []),
    .array(of: "(yay)", [.structure([.byte(1), .bytes([2])])]),
    .properties([:]), .properties(["RSSI": .int16(-70), "UUIDs": .strings(["180a"])]),
    .dictionary(of: "qv", [.uint16(0x067E): .variant(.bytes([1, 2]))]),
    .dictionary(
      of: "oa{sa{sv}}", [.objectPath("/x"): .dictionary(of: "sa{sv}", [.string("i"): .properties([:])])]),
    .variant(.variant(.structure([.byte(1), .strings(["x"])]))),
  ])
  func `every type survives`(value: DBusValue) throws {
    #expect(try roundTrip([value]) == [value])
    // In the middle of others, and inside the containers where signatures are worked out differently.
    let surrounded: [DBusValue] = [.byte(1), value, .string("end")]
    #expect(try roundTrip(surrounded) == surrounded)
    #expect(try roundTrip([.properties(["x": value])]) == [.properties(["x": value])])
    #expect(try roundTrip([.structure([.byte(0), value])]) == [.structure([.byte(0), value])])
  }

  @Test func `no arguments are no values`() throws { #expect(try roundTrip([]) == []) }

  @Test func `the deepest that is sendable is readable`() throws {
    var value = DBusValue.byte(7)
    while true {
      let deeper = DBusValue.variant(value)
      guard (try? deeper.check()) != nil else { break }
      value = deeper
    }
    #expect(try roundTrip([value]) == [value])
  }

  @Test func `more arguments than a signature holds are refused`() {
    #expect(throws: DBusFailure.self) { try roundTrip(Array(repeating: .byte(0), count: 256)) }
  }

  @Test(arguments: [
    DBusMethodCall(to: "not a name", "/", "a.b", "C"), DBusMethodCall(to: "a.b", "x", "a.b", "C"),
    DBusMethodCall(to: "a.b", "/", "a", "C"), DBusMethodCall(to: "a.b", "/", "a.b", "C-D"),
    DBusMethodCall(to: "", "/", "a.b", "C"), DBusMethodCall(to: "a.b", "/", "a.b", "C", [.string("\0")]),
  ])
  func `calls that break the rules are refused`(call: DBusMethodCall) {
    #expect(throws: DBusFailure.self) { try DBusMessage.call(call) }
  }
}
