import FleetModel
import Testing

@Suite struct BoardStateTests {
  private static func state(_ change: (inout BoardState) -> Void = { _ in }) -> BoardState {
    var state = BoardState(
      board: BoardID(BluetoothAddress(rawValue: 1)), link: .unseen, time: Timestamp(milliseconds: 0))
    change(&state)
    return state
  }

  @Test func `F223 a board is in trouble where something is wrong that nobody ordered`() {
    #expect(!Self.state().isInTrouble)
    #expect(Self.state { $0.reason = StatedReason(.unreachable, "-") }.isInTrouble)
    #expect(Self.state { $0.identity.doubt = StatedReason(.identityChanged, "-") }.isInTrouble)
    #expect(
      Self.state { $0.troubles = [StreamTrouble("steps", StatedReason(.streamSilent, "-"))] }
        .isInTrouble)
    for code in [ReasonCode.disabled, .held, .drained, .asleep, .gatewayStopped] {
      #expect(!Self.state { $0.reason = StatedReason(code, "-") }.isInTrouble, "\(code)")
    }
  }

  @Test func `F223 a board in maintenance is not in trouble, whatever is wrong with it`() {
    let maintained = Self.state {
      $0.reason = StatedReason(.unreachable, "-")
      $0.identity.doubt = StatedReason(.identityChanged, "-")
      $0.orders.maintenance = Maintenance(until: Timestamp(milliseconds: 5))
    }
    #expect(!maintained.isInTrouble)
  }
}
