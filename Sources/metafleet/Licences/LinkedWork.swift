/// A work of others that the program is linked with, and what its licence asks us to say.
struct LinkedWork: Hashable, Sendable {
  /// How it gets into the program.
  enum Origin: Hashable, Sendable {
    /// A package of the manifest, compiled in; the last part of its address.
    case package(String)
    /// What comes with Swift or its Foundation, linked in.
    case toolchain
    /// A package that another one brings, compiled in.
    case within(String)
    /// A library of the system, found when the program starts: its file, and its name for pkg-config where the manifest
    /// asks for it.
    case system(file: String, pkgConfig: String? = nil)

    /// In words.
    var text: String {
      switch self {
      case .package: "compiled in"
      case .toolchain: "linked in, comes with Swift"
      case .within(let package): "compiled in, comes with \(package)"
      case .system(let file, _): "library of the system, \(file)"
      }
    }
  }

  var name: String
  var origin: Origin
  var address: String
  /// Who holds the rights, a line each.
  var holders: [String]
  var licence: Licence
}

/// A licence: its name in the list of SPDX, and what must be said with the program.
struct Licence: Hashable, Sendable {
  var name: String
  var text: String
}
