import FleetModel
import Simulator

/// Carries out what is asked of simulated boards, from wherever it comes, while the simulation runs.
struct SimulatorConsole: Sendable {
  let fleet: SimulatedFleet
  let boards: [BluetoothAddress]

  /// Reads standard input to its end; what cannot be read is told, and the rest goes on.
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

  /// Does what a message asks for, each line by itself; what is told of each.
  func obey(_ message: MQTTMessage) async -> [JSONObject] {
    let request = SimulatorRequest(message, boards: boards, at: await fleet.service.now)
    await fleet.service.schedule(request.orders)
    return request.answers.map { $0.json(id: request.id) }
  }

  /// Listens to the topic of a broker until it is cancelled, through losses of the connection. Who could not be heard
  /// meanwhile has asked for nothing.
  func listen(to settings: UplinkConfiguration) async throws {
    try await ClientSession.with(settings, keepsTrying: true) { session in
      let topic = "\(settings.base)/\(SimulatorRequest.topic)"
      // Not more than once, as nobody wants to tap twice.
      try await session.subscribe(to: [topic], .atMostOnce)
      for await event in session.events {
        switch event {
        case .message(let message) where message.topic == topic:
          for answer in await obey(message) {
            await session.publish(
              MQTTMessage(
                topic: "\(settings.base)/\(SimulatorAnswer.topic)", payload: JSONWriter.render(answer)))
          }
        case .lost(let failure):
          Console.note("\(session.explain(failure).message); \(topic) is not heard until then")
        case .message, .acknowledged, .timer, .terminal: break
        }
      }
    }
  }
}
