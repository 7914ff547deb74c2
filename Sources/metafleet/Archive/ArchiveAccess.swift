import FleetModel

/// Which way a command reads the archive: from its files, or through the gateway, for which the right to use its
/// socket is enough (group `metafleet`). Pure.
enum ArchiveAccess: Hashable, Sendable {
  case files
  case gateway
  case refused(CommandLineFailure)

  /// What was found of the files.
  enum Files: Hashable, Sendable {
    case readable, missing
    /// They, or the configuration file that names their place, are not for us.
    case forbidden
  }

  /// What was found at the gateway's socket.
  enum Socket: Hashable, Sendable {
    case open, missing
    /// There is one, and it is not for us.
    case forbidden
  }

  /// `isNamed`: whether somebody named the configuration file, whose archive it shall be then.
  init(_ files: Files, isNamed: Bool, socket: Socket) {
    switch (files, socket) {
    case (.readable, _), (.missing, .missing): self = .files
    case (.missing, _) where isNamed: self = .files
    case (.missing, .open),
      (.forbidden, .open) where !isNamed:
      self = .gateway
    case (.forbidden, .open):
      self = Self.refusal(
        "the archive of that configuration file is not for you; without --config and METAFLEET_CONFIG the gateway reads "
          + "its own for you, with sudo you read any")
    case (_, .forbidden):
      self = Self.refusal(
        "the archive is for members of the group metafleet; sudo adduser \"$USER\" metafleet makes you one, from your "
          + "next login on")
    case (_, _):
      self = Self.refusal(
        "only the gateway may read the archive, and it does not run as a service here; start it, or read it with sudo"
      )
    }
  }

  private static func refusal(_ text: String) -> ArchiveAccess {
    .refused(CommandLineFailure(.notAllowed, text))
  }
}
