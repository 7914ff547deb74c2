import Testing

@testable import Simulator

struct EventEntryTests {
  private func entry(_ header: String, _ parameters: String) throws -> EventEntry {
    var entry = try #require(EventEntry([UInt8](hex: header)))
    entry.complete(with: [UInt8](hex: parameters))
    return entry
  }

  @Test func `Parameters are taken literally`() throws {
    let entry = try entry("0C 06 00 04 81 01", "01")
    #expect(entry.command(for: []) == Packet([0x04, 0x81, 0x01]))
  }

  @Test func `A token copies the source's bytes into the parameters`() throws {
    // The switch counter's first two bytes into the beacon's major.
    let major = try entry("09 03 00 07 03 02 09 00", "00 00")
    #expect(major.command(for: [0x34, 0x12, 0, 0]) == Packet([0x07, 0x03, 0x34, 0x12]))
    // Two bytes into a comparator's reference, at offset 3 behind id, type and the first byte.
    let reference = try entry("09 03 00 09 05 05 05 03", "01 06 22 00 00")
    #expect(reference.command(for: [0xAA, 0xBB]) == Packet([0x09, 0x05, 0x01, 0x06, 0x22, 0xAA, 0xBB]))
    let second = try entry("03 04 FF 07 03 02 25 00", "00 00")
    #expect(second.command(for: [1, 2, 3, 4, 5, 6]) == Packet([0x07, 0x03, 3, 4]))
  }

  @Test func `Bytes that are not there are not copied`() throws {
    let entry = try entry("09 03 00 07 03 02 FF 01", "AA BB")
    #expect(entry.command(for: [1, 2]) == Packet([0x07, 0x03, 0xAA, 0xBB]))
  }

  @Test func `Without its parameters nothing is carried out`() throws {
    let entry = try entry("0C 06 00 04 81 01", "")
    #expect(entry.command(for: []) == nil)
    #expect(try self.entry("0C 06 00 01 81 00", "").command(for: []) == Packet([0x01, 0x81]))
  }

  @Test(arguments: ["0C 06 00 04 81", "0C 06 00 04 81 01 05", "0C 06 00 04 81 13"])
  func `Nonsense is refused`(_ header: String) { #expect(EventEntry([UInt8](hex: header)) == nil) }
}
