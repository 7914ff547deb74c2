import FleetModel
import Foundation
import Glibc
import Storage

/// The configuration as the doctor finds it, who is not the service: systemd's credentials are looked for where they
/// come from, and a secret that only the service can read is no error.
struct ConfigurationInspection: Sendable {
  let fact: ComputerFacts.ConfigurationFact
  /// What the file says; the defaults where there is none, or where it cannot be read.
  let configuration: FleetConfiguration
  /// Whether a file was read.
  var isThere: Bool { if case .read = fact { true } else { false } }

  /// Where systemd keeps credentials of the running service, and where the guide puts the files they come from.
  private static let credentials = ["/run/credentials/metafleet.service", "/etc/metafleet"]

  init(_ place: ConfigurationFile.Place, environment: [String: String]) {
    guard let file = ConfigurationFile.find(place) else {
      var places: [String] = []
      if case .usual(let usual) = place { places = usual }
      (fact, configuration) = (.missing(places: places), FleetConfiguration())
      return
    }
    if !file.isStandardInput, access(file.path, R_OK) != 0 {
      fact =
        errno == ENOENT
        ? .missing(places: [file.path]) : .unreadable(PathFailure.text(file.path, "read"))
      configuration = FleetConfiguration()
      return
    }
    var environment = environment
    if environment["CREDENTIALS_DIRECTORY"] == nil {
      environment["CREDENTIALS_DIRECTORY"] =
        Self.credentials.first { access($0, X_OK) == 0 } ?? Self.credentials.last
    }
    let result = file.read(environment: environment) { path in
      // Whoever starts the service reads it; what becomes of the password says the check of the login.
      if case .unreadable = ConfigurationFile.inspect(path) { return .readable(isWorldReadable: false) }
      return ConfigurationFile.inspect(path)
    }
    let errors = result.problems.filter { $0.severity == .error }
    fact = .read(
      name: file.name,
      errors: errors.map { error in error.line.map { "line \($0): \(error.text)" } ?? error.text },
      warnings: result.problems.count - errors.count)
    configuration = result.configuration
  }
}
