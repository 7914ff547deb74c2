import BoardKit
import FleetModel

/// A part of a board's setup that a session is told of by itself, in the order in which it is.
enum SetupPart: Int, Hashable, Sendable, CaseIterable, Comparable {
  case streams, program, logs, settings

  static func < (left: SetupPart, right: SetupPart) -> Bool { left.rawValue < right.rawValue }

  /// Tells the session, if there is one, what is wanted of this part by now.
  func order(from supervisor: isolated BoardSupervisor) async {
    let (wishes, session) = (supervisor.wishes, supervisor.link.session)
    let profile = supervisor.setup.desired.profile
    switch self {
    case .streams: await session?.order(streams: wishes.streams, button: profile.button)
    case .program: await session?.order(program: wishes.program)
    case .logs:
      await session?.order(
        logs: wishes.logs, isCircular: supervisor.setup.isLogCircular, clear: profile.visit.clear,
        takesForeign: profile.visit.takesForeign)
    case .settings: await session?.order(settings: wishes.settings)
    }
  }
}
