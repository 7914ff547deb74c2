import Dialects
import FleetModel

/// How live samples are printed in a pipe.
enum LiveOutput: Sendable {
  case lines, json

  /// How often it is looked whether anybody still reads.
  private static let period = Duration.milliseconds(100)

  /// Prints samples until the broker goes, or nobody reads us.
  func follow(_ session: ClientSession, _ known: FleetView) async throws {
    var fleet = known
    session.set(.redraw, after: .zero)
    for await event in session.events {
      switch event {
      case .message(let message):
        let sample = LiveSampleDocument(message.payload)
        guard let sample, let board = sample[.board], sample[.stream] != nil else {
          fleet.apply(topic: message.topic, payload: message.payload)
          continue
        }
        switch self {
        case .json: try Console.line(JSONText.of(sample.json.json))
        case .lines:
          let name = fleet.boards[board]?.name ?? board.description
          if let line = LiveBoard.line(of: sample, name: name) { try Console.line(line) }
        }
      case .timer(.redraw):
        if Console.isOutputClosed { throw OutputFailure.closedPipe }
        session.set(.redraw, after: Self.period)
      case .lost(let failure): throw session.explain(failure)
      case .acknowledged, .timer, .terminal: break
      }
    }
  }
}
