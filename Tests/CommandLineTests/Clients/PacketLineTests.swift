import FleetModel
import MetaMotion
import Testing

@testable import metafleet

@Suite struct PacketLineTests {
  @Test(
    arguments: [
      ("118c", [0x11, 0x8C], nil), ("11 8C", [0x11, 0x8C], nil), (" 11:8c ", [0x11, 0x8C], nil),
      ("0x11, 0x8c", [0x11, 0x8C], nil), ("11-8c # battery", [0x11, 0x8C], nil),
      ("> 11 8c", [0x11, 0x8C], .host),
      ("<118c", [0x11, 0x8C], .board), ("board: 11 8c", [0x11, 0x8C], .board),
      ("host 11\t8c", [0x11, 0x8C], .host),
    ] as [(String, [UInt8], PacketExplanation.Sender?)])
  func `bytes are read however people write them`(
    _ line: String, _ bytes: [UInt8], _ sender: PacketExplanation.Sender?
  ) throws {
    let packet = try #require(try PacketLine(line))
    #expect(packet.bytes == bytes)
    #expect(packet.sender == sender)
  }

  @Test(arguments: ["", "   ", "# only a comment", "\r"]) func `a line of nothing is nothing`(_ line: String)
    throws
  {
    #expect(try PacketLine(line) == nil)
  }

  @Test(arguments: ["zz", "1", "11 8", "hello", ">", "11 8c 𝟗𝟗", "-"]) func `anything else is usage`(
    _ line: String
  ) {
    #expect {
      try PacketLine(line)
    } throws: {
      ($0 as? CommandLineFailure)?.status == .usage
    }
  }
}
