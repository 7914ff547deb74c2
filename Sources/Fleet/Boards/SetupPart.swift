import BoardKit
import FleetModel

/// A part of a board's setup that a session is ordered by itself, in the order in which it is.
enum SetupPart: Int, Hashable, Sendable, CaseIterable, Comparable {
  case streams, program, logs, settings

  static func < (left: SetupPart, right: SetupPart) -> Bool { left.rawValue < right.rawValue }

  /// Tells the session, if there is one, what is wanted of this part by now.
  func order(from supervisor: isolated BoardSupervisor) async {
    let (desiredSetup, session) = (supervisor.desiredSetup, supervisor.link.session)
    let profile = supervisor.setup.desired.profile
    switch self {
    case .streams: await session?.order(streams: desiredSetup.streams, button: profile.button)
    case .program: await session?.order(program: desiredSetup.program)
    case .logs:
      await session?.order(
        logs: desiredSetup.logs, isCircular: supervisor.setup.isLogCircular, clear: profile.visit.clear,
        takesForeign: profile.visit.takesForeign)
    case .settings: await session?.order(settings: desiredSetup.settings)
    }
  }
}
