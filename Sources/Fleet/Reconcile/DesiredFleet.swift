package import FleetModel

/// One board as it is wanted.
package struct DesiredBoard: Hashable, Sendable {
  /// Who said so.
  package enum Origin: String, Sendable {
    case file, command, open, window

    /// Whether the board was admitted by itself.
    var isJoining: Bool { self == .open || self == .window }
  }

  package var board: BoardID
  package var origin: Origin
  package var name, site, profileName: String?
  /// The profile that the configuration names; a verb may have chosen another one.
  package var configuredProfile: String?
  package var profile: Profile
  package var groups: [String]
  package var labels: [String: String]
  package var adapter: AdapterID?
  package var isEnabled: Bool
  /// The serial number it must have; nil = any.
  package var serial: String?
}

/// The boards that are wanted: those of the file, and those admitted at run time. The file wins.
enum DesiredFleet {
  static func boards(
    file: FleetConfiguration, admitted: [(admission: Admission, origin: DesiredBoard.Origin)],
    choices: [BoardID: ProfileChoice] = [:]
  ) -> [BoardID: DesiredBoard] {
    var boards: [BoardID: DesiredBoard] = [:]
    for (admission, origin) in admitted {
      boards[admission.board] = DesiredBoard(
        board: admission.board, origin: origin, name: admission.name,
        site: admission.site ?? file.gateway.site,
        profileName: admission.profile, configuredProfile: admission.profile, profile: Profile(),
        groups: admission.groups ?? [],
        labels: admission.labels ?? [:], adapter: nil, isEnabled: admission.isEnabled ?? true)
    }
    for entry in file.boards {
      boards[entry.board] = DesiredBoard(
        board: entry.board, origin: .file, name: entry.name, site: entry.site ?? file.gateway.site,
        profileName: entry.profile, configuredProfile: entry.profile, profile: Profile(),
        groups: entry.groups, labels: entry.labels, adapter: entry.adapter, isEnabled: entry.isEnabled,
        serial: entry.serial)
    }
    for (id, board) in boards {
      let name = ProfileChoice.name(choices[id], over: board.configuredProfile, among: file.profiles)
      boards[id]?.profileName = name
      boards[id]?.profile = name.flatMap { file.profiles[$0] } ?? Profile()
    }
    return boards
  }
}
