import FleetModel

@testable import Fleet

extension AlarmFacts {
  /// A gateway that is well, with boards that `changes` make worse.
  static func example(
    boards: Int = 1, at milliseconds: Int64 = 0, _ changes: (inout AlarmFacts) -> Void = { _ in }
  ) -> AlarmFacts {
    var facts = AlarmFacts(at: .at(milliseconds))
    facts.gateway.isBrokerConnected = true
    facts.gateway.numbers = [.clockSynced: 1, .slotsTotal: 8, .slotsUsed: 1]
    var adapter = AdapterReport(id: .number(1), name: "hci0", state: "up", slotsTotal: 8)
    adapter.isScanning = true
    facts.adapters = [adapter]
    facts.boards = (0..<boards).map { number in
      var state = BoardState(board: .number(number), link: .streaming, time: .at(milliseconds))
      state.battery.percent = 80
      state.log.usedPercent = 10
      state.clock.error = 1
      state.isInSync = true
      return Board(state, Availability(reason: .connected, since: .at(0)), name: "Board \(number)")
    }
    changes(&facts)
    return facts
  }

  /// The first board's state.
  var state: BoardState {
    get { boards[0].state }
    set { boards[0].state = newValue }
  }
}

extension AlarmFindings {
  /// What is found, in the order of the ids; `unclear` is not.
  var present: [String] {
    all.filter { if case .present = $0.value { true } else { false } }.map(\.key.description).sorted()
  }

  var unclear: [String] { all.filter { $0.value == .unclear }.map(\.key.description).sorted() }
}
