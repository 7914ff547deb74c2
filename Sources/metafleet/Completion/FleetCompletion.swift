import ArgumentParser
import Dialects
import FleetModel
import Foundation

/// Completion that asks the broker who is there.
enum FleetCompletion {
  /// Somebody waits for the shell: after so many seconds there are no names.
  private static let timeout: UInt32 = 2

  /// For `send`: whom, what, and its arguments.
  static let send = CompletionKind.custom { pieces, index, prefix in
    let line = CompletionLine(pieces, at: index, before: prefix)
    let completion = SendCompletion(line: line)
    let fleet = completion.wantsFleet ? await fleet(completion.brokerOptions) : nil
    return line.offers(
      of: completion.candidates(in: fleet, profiles: completion.wantsFleet ? fileProfiles(line) : []))
  }

  /// For commands that take boards.
  static let boards = names(TargetCompletion.boards)
  /// For `forget`: also gateways that are offline, and adapters that are missing.
  static let forgettable = names(TargetCompletion.forgettable, in: .everything)
  /// For options that take a group, a profile, a gateway.
  static let groups = names { $0.groups }
  static let streams = names { StreamFields.offered(by: $0.boards.values) }
  static let profiles = CompletionKind.custom { pieces, index, prefix in
    let line = CompletionLine(pieces, at: index, before: prefix)
    let fleet = await fleet(SendCompletion(line: line).brokerOptions)
    return line.offers(of: TargetCompletion.profiles(of: fleet, fileProfiles(line)))
  }
  static let gateways = names(TargetCompletion.gateways)

  private static func names(
    _ names: @escaping @Sendable (FleetView) -> [String], in scope: FleetView.Scope = .boards
  ) -> CompletionKind {
    .custom { pieces, index, prefix in
      let line = CompletionLine(pieces, at: index, before: prefix)
      let fleet = await fleet(SendCompletion(line: line).brokerOptions, scope)
      return line.offers(of: fleet.map(names) ?? [])
    }
  }

  /// Profiles of the configuration file, where this is the gateway's computer: the broker knows only those that boards
  /// have.
  private static func fileProfiles(_ line: CompletionLine) -> [String] {
    let option = zip(line.words, line.words.dropFirst()).first { $0.0 == "--config" }?.1
    let place = ConfigurationFile.Place(option: option, environment: ProcessInfo.processInfo.environment)
    guard let file = ConfigurationFile.find(place), !file.isStandardInput else { return [] }
    return Array(file.read { _ in .readable(isWorldReadable: false) }.configuration.profiles.keys)
  }

  /// What the broker's retained documents tell; nil without a broker. Nothing is said about that: the line belongs to
  /// whoever types.
  private static func fleet(_ options: [String], _ scope: FleetView.Scope = .boards) async -> FleetView? {
    Signals.endSilently(after: timeout)
    guard let settings = try? BrokerOptions.parse(options).settings() else { return nil }
    return try? await ClientSession.with(settings) { try await $0.fleet(scope) }
  }
}
