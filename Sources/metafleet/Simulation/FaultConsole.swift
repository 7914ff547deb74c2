import FleetModel
import Simulator

/// Takes faults from standard input while the simulation runs.
struct FaultConsole: Sendable {
  let fleet: SimulatedFleet
  let boards: [BluetoothAddress]

  /// Reads to the end of the lines; what cannot be read is told, and the rest goes on.
  func obey(_ lines: AsyncStream<String>) async {
    var number = 0
    for await line in lines {
      number += 1
      do throws(FaultProblem) {
        guard let fault = try FaultLine.parse(line, boards: boards) else { continue }
        await fleet.service.schedule([fault.order(after: fleet.service.now)])
      } catch {
        Console.note("standard input, line \(number): \(error.sentence)")
      }
    }
  }
}
