import Dialects
import FleetModel

/// Holds commands back until what the last run left open is taken up, once. Confined to its dispatcher.
///
/// A command that began sooner would be found among that, and run twice (fault row F302), or come before older ones.
final class StartGate {
  /// A command as it came.
  struct Command {
    var target: CommandTarget
    var verb: String
    var command: IncomingCommand
  }

  /// What came so far, in order; nil once it is open.
  private var held: [Command]? = []
  /// Who wait for it to be open.
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Keeps a command for later; false once it is open. Whoever brings it has other things to do, and does not wait.
  func holds(_ target: CommandTarget, _ verb: String, _ command: IncomingCommand) -> Bool {
    held?.append(Command(target: target, verb: verb, command: command))
    return held != nil
  }

  /// What came meanwhile, and may begin. Opens, and returns nil, once there is no more.
  func release() -> [Command]? {
    guard let commands = held, !commands.isEmpty else {
      held = nil
      for continuation in waiting { continuation.resume() }
      waiting = []
      return nil
    }
    held = []
    return commands
  }

  /// Comes back once it is open.
  func pass(isolation: isolated (any Actor)? = #isolation) async {
    guard held != nil else { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}
