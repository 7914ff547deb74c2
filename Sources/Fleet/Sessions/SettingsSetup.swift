import BoardKit
import FleetModel

/// How the board presents and connects itself: bringing it to what is wanted, and keeping what commands change of that.
/// Confined to its session.
final class SettingsSetup {
  private let context: SessionContext
  /// What came of the ordered settings.
  private var applied = SettingsApplied()

  init(_ context: SessionContext) { self.context = context }

  /// Brings the board to the ordered settings. A failure of the conversation ends the link; what the board does not
  /// take is reported, and leaves the rest alone.
  func apply() async {
    let orders = context.orders
    do throws(ProtocolFailure) {
      applied = try await context.driver.apply(
        orders.wanted.settings, trusting: orders.trustedSettings,
        usesConservativeParameters: orders.link.usesConservativeParameters)
      trust()
      await context.report(.settings(orders.wanted.settings, applied))
    } catch {
      context.fail(because: error)
    }
  }

  /// Changes how the board should present itself. Returns whether there is something to do about it.
  func order(_ settings: SettingsDeclaration) -> Bool {
    guard settings != context.orders.wanted.settings else { return false }
    context.orders.wanted.settings = settings
    return true
  }

  /// Carries out a command and keeps what it changes. What failed half-way is not known any more.
  func carryOut(_ command: SettingsCommand) async -> CommandOutcome {
    let outcome = await context.driver.perform(.settings(command))
    let declared = command.declared.state
    for key in declared.keys.keys {
      applied.effective[key] = nil
      applied.refused[key] = nil
      applied.exempt.removeAll { $0 == key }
    }
    if case .done(_, let data) = outcome {
      context.orders.wanted.settings = declared.laid(over: context.orders.wanted.settings)
      for key in declared.keys.keys { applied.effective[key] = data[key] }
    }
    applied.written = []
    trust()
    await context.report(.settings(context.orders.wanted.settings, applied))
    return outcome
  }

  /// Takes what the board has applied by now as known.
  private func trust() {
    var known = context.orders.wanted.settings
    for key in known.keys.keys where applied.effective[key] == nil { known.withdraw(key) }
    context.orders.known.settings = known
  }
}
