import Testing

@testable import Simulator

struct MainboardTests {
  private var board: Mainboard {
    Mainboard(
      model: .s, identity: BoardIdentity(number: 1), assumptions: FirmwareAssumptions(),
      surroundings: .init(motion: Motion(seed: 1), climate: Climate(seed: 1), noise: SensorNoise(seed: 1)),
      battery: Battery(seed: 1, at: .zero), now: .zero, start: .init(time: .zero, resetCount: 0),
      sensors: .init())
  }

  @Test func `A register is wanted by a host that is there or by a consumer`() {
    var board = board
    let source = SignalSource(module: 3, register: 4)
    board.listeners.subscriptions = [source]
    #expect(!board.isWanted(3, 4))
    board.isConnected = true
    #expect(board.isWanted(3, 4))
    board.isConnected = false
    board.listeners.consumed = [source]
    #expect(board.isWanted(3, 4) && !board.isWanted(3, 5))
  }

  @Test func `What nobody wants is not handed on`() {
    var board = board
    board.fire(3, 4, [1])
    #expect(board.errands.isEmpty)
    board.listeners.consumed = [SignalSource(module: 3, register: 4)]
    board.fire(3, 4, [1])
    #expect(board.errands.count == 1)
  }
}
