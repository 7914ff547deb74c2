import Dialects
import FleetModel

/// How live samples are shown.
enum LiveOutput: Sendable {
  case screen, lines, json

  /// Ten times a second is as fast as people read.
  private static let frame = Duration.milliseconds(100)
  private static let idleFrame = Duration.seconds(1)

  /// Shows samples until the broker goes, or nobody reads us.
  func follow(_ session: ClientSession, _ known: FleetView) async throws {
    var fleet = known
    var live = LiveBoard()
    var screen = LiveScreen()
    session.set(.redraw, after: .zero)
    var hasChanges = true
    var quietFrames = 0
    for await event in session.events {
      switch event {
      case .message(let message):
        let sample = LiveSampleDocument(message.payload)
        guard let sample, let board = sample[.board], sample[.stream] != nil else {
          fleet.apply(topic: message.topic, payload: message.payload)
          continue
        }
        let name = fleet.boards[board]?.name ?? board.description
        switch self {
        case .json: try Console.line(JSONText.of(sample.json.json))
        case .lines: if let line = LiveBoard.line(of: sample, name: name) { try Console.line(line) }
        case .screen:
          live.received(sample, name: name)
          hasChanges = true
        }
      case .timer(.redraw):
        quietFrames += 1
        if case .screen = self, hasChanges || quietFrames >= Int(Self.idleFrame / Self.frame) {
          try screen.draw(live.table(now: .system).lines(width: screen.width, isColoured: Console.hasColours))
          (hasChanges, quietFrames) = (false, 0)
        }
        if Console.isOutputClosed { throw ClosedPipe() }
        session.set(.redraw, after: Self.frame)
      case .lost(let failure): throw session.explain(failure)
      case .acknowledged, .timer, .terminal: break
      }
    }
  }
}
