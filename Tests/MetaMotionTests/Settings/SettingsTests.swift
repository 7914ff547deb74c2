import FleetModel
import Testing

@testable import MetaMotion

/// What the board says of itself: its name and its address.
struct SettingsTests {
  @Test(arguments: ["MetaWear", "a", "Pump_3 - left side"])
  func `names that fit a packet`(text: String) throws {
    let name = try #require(AdvertisedName(text))
    #expect(name.command == [0x11, 0x01] + Array(text.utf8))
    #expect(AdvertisedName(reply: [0x11, 0x81] + Array(text.utf8)) == name)
  }

  @Test func `a longer name that was given by USB is read as far as the board tells it`() {
    let text = "Pump 3 of the eastern hall"
    #expect(AdvertisedName(text) == nil)
    #expect(AdvertisedName(reply: [0x11, 0x81] + Array(text.utf8))?.text == text)
    #expect(AdvertisedName(reply: [0x11, 0x81] + Array((text + "x").utf8)) == nil)
  }

  @Test(
    arguments: ["", "nineteen characters", "Püm", "a\u{1B}b", "a/b"])
  func `F89 names with other characters are no names`(text: String) { #expect(AdvertisedName(text) == nil) }

  @Test func `T18 the address comes with and without its kind`() throws {
    let full = try #require(HardwareAddress(bytes("118b 01 07 7b 52 8f c9 e8")))
    #expect(full.address.colonSeparated == "E8:C9:8F:52:7B:07")
    #expect(full.kind == .randomStatic)
    let short = try #require(HardwareAddress(bytes("118b 07 7b 52 8f c9 e8")))
    #expect(short.address == full.address)
    #expect(short.kind == nil)
    #expect(HardwareAddress(bytes("118b 07 7b 52 8f c9")) == nil)
    #expect(HardwareAddress(bytes("118b 09 07 7b 52 8f c9 e8"))?.kind == nil)
  }

  @Test func `kinds have the contracts names`() {
    let names = (0...3).compactMap { HardwareAddress.Kind(rawValue: $0)?.name }
    #expect(names == ["public", "random-static", "resolvable", "non-resolvable"])
  }
}
