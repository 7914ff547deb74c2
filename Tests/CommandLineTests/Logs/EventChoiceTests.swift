import FleetModel
import Storage
import Testing

@testable import metafleet

@Suite struct EventChoiceTests {
  private static let boards = (1...3).map {
    BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0000 + UInt64($0)))
  }
  private static let choice = EventChoice(
    names: [boards[0]: "Pump 1", boards[1]: "Pump 2", boards[2]: "Pump"], adapters: ["001a7dda7113"])

  private func choose(
    board: String? = nil, adapter: String? = nil, kinds: [String] = []
  ) throws(CommandLineFailure) -> EventHistory.Choice {
    try Self.choice(board: board, adapter: adapter, isOfGateway: false, kinds: kinds)
  }

  private func refusal(board: String? = nil, adapter: String? = nil, kinds: [String] = [])
    -> CommandLineFailure?
  {
    do throws(CommandLineFailure) {
      _ = try choose(board: board, adapter: adapter, kinds: kinds)
      return nil
    } catch { return error }
  }

  @Test func `a board is found by its name, a beginning of it, or its id`() throws {
    #expect(try choose(board: "Pump 2").board == Self.boards[1])
    #expect(try choose(board: "Pump").board == Self.boards[2])
    #expect(try choose(board: "C0:FF:EE:00:00:01").board == Self.boards[0])
    #expect(try choose(board: "c0ffee0000ff").board?.description == "c0ffee0000ff")
    #expect(try choose().board == nil)
  }

  @Test func `what is not known is refused with what was probably meant`() {
    let board = refusal(board: "Pumb 1")
    #expect(board?.status == .usage && board?.message.contains("did you mean Pump 1?") == true)
    #expect(refusal(board: "Pum")?.message.contains("may be each of c0ffee000001, c0ffee000002") == true)
    #expect(refusal(adapter: "001a7dda7114")?.message.contains("did you mean 001a7dda7113?") == true)
    #expect(refusal(kinds: ["link-lots"])?.message.contains("did you mean link-lost?") == true)
  }

  @Test func `adapters and kinds are taken as topics have them`() throws {
    #expect(try choose(adapter: "00:1A:7D:DA:71:13").adapter == "001a7dda7113")
    #expect(try choose(kinds: ["tap", "command"]).kinds == ["tap", "command"])
  }
}
