import Testing

@testable import Simulator

/// The bootloader's side of the vectors of transfers.
struct BootloaderVectorTests {
  /// Those that begin at the beginning; others show a host's view of a single answer.
  private static let vectors = VectorFile.cases("dfu").filter { $0.name != "crc-error" && !$0.writes.isEmpty }

  @Test(arguments: vectors)
  func `F290 a transfer is answered as in the vector, and no more`(_ vector: VectorFile.Case) throws {
    let board = vector.boardModel
    var bench = try BootloaderBench.ready(
      BoardModel(
        key: board.key, modelNumber: board.modelNumber, firmwareRevision: board.firmwareRevision,
        hardwareRevision: board.hardwareRevision, modules: BoardModel.r.modules))
    var writes = vector.writes[...]
    var answers = vector.inject.map { [UInt8](hex: $0).hex }[...]
    var told: [String] = []
    for (step, channel) in zip(vector.order ?? "", vector.expect?.channels ?? []) {
      switch (step, channel) {
      case ("w", "control-point"): told += try bench.control(writes.removeFirst())
      case ("w", _): told += try bench.send([[UInt8](hex: writes.removeFirst())])
      default:
        let answer = told.isEmpty ? nil : told.removeFirst()
        #expect(answer == answers.popFirst())
      }
    }
    #expect(told == [] && writes.isEmpty && answers.isEmpty)
  }
}
