import BoardKit
import FleetModel

extension StreamSelection {
  /// How packets are read where a board holds other settings than were written: by what it holds. Units in `unset` hold
  /// what nobody understands, and are not started.
  func holding(
    _ check: SettingsCheck.Result, of streams: [StreamKey: StreamRequest], chains: [String: ChainOutput],
    button: Bool, on board: Inventory
  ) -> (selection: StreamSelection, unset: Set<SensorRun.Unit>) {
    guard !check.differing.isEmpty else { return (self, []) }
    let sources = StreamSources(on: board)
    var (onBoard, unset) = (streams, Set<SensorRun.Unit>())
    for unit in check.differing.keys {
      for key in dependants[unit] ?? [] {
        guard let request = streams[key], let definition = StreamCatalogue.find(request.name)?.stream,
          // What the board takes samples of by itself goes by what was wanted, and is not started otherwise.
          request.consumer == nil, let index = sources.index(for: definition),
          let configuration = try? definition.configure(request.configuration).values,
          let there = sources.all[index].onBoard(configuration, check.onBoard)
        else {
          unset.insert(unit)
          continue
        }
        onBoard[key]?.configuration = there
      }
    }
    return (StreamSelection(onBoard, chains: chains, button: button, on: board), unset)
  }
}
