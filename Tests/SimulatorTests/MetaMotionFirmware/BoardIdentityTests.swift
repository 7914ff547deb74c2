import FleetModel
import Testing

@testable import Simulator

struct BoardIdentityTests {
  @Test func `Boards are numbered in their addresses and serials`() {
    let board = BoardIdentity(number: 258)
    #expect(board.address.colonSeparated == "C0:FF:EE:00:01:02")
    #expect(board.serial == "050102")
    #expect(board.addressBytes == [0x02, 0x01, 0x00, 0xEE, 0xFF, 0xC0])
  }
}
