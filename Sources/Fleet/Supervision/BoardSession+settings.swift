import BoardKit
import FleetModel

/// How the board presents and connects itself: bringing it to what is wanted, and keeping what commands change of that.
extension BoardSession {
  /// Brings the board to the ordered settings. A failure of the conversation ends the link; what the board does not
  /// take is told, and leaves the rest alone.
  func applySettings() async {
    let wanted = orders.settings
    let trusted = wanted.keys.members.filter { orders.knownSettings.keys[$0.key] == $0.value }.map(\.key)
    do throws(ProtocolFailure) {
      settings = try await driver.apply(
        wanted, trusting: Set(trusted), isLinkRelaxed: orders.isLinkRelaxed)
      trustSettings()
      await environment.report(.settings(wanted, settings))
    } catch {
      fail(because: Self.linkFailure(error))
    }
  }

  /// Changes how the board should present itself; takes effect in its turn.
  func order(settings: SettingsDeclaration) {
    guard settings != orders.settings else { return }
    orders.settings = settings
    if isSettled { enqueue(.settings) }
  }

  /// Carries out a command and keeps what it changes. What failed half-way is not known any more.
  func carryOut(_ command: SettingsCommand) async -> CommandOutcome {
    let outcome = await driver.perform(.settings(command))
    let declared = command.declared.state
    for key in declared.keys.keys {
      settings.held[key] = nil
      settings.refused[key] = nil
      settings.spared.removeAll { $0 == key }
    }
    if case .done(_, let data) = outcome {
      orders.settings = declared.laid(over: orders.settings)
      for key in declared.keys.keys { settings.held[key] = data[key] }
    }
    settings.written = []
    trustSettings()
    await environment.report(.settings(orders.settings, settings))
    return outcome
  }

  /// Takes as told what the board holds by now.
  private func trustSettings() {
    var known = orders.settings
    for key in known.keys.keys where settings.held[key] == nil { known.withdraw(key) }
    orders.knownSettings = known
  }

  /// Looks at the slots of the board, whoever filled them.
  func survey() async {
    do throws(ProtocolFailure) {
      let survey = try await driver.survey()
      await environment.report(.surveyed(survey))
    } catch .unexpected {
      // What cannot be read is nothing that could be told.
    } catch {
      fail(because: Self.linkFailure(error))
    }
  }
}
