import FleetModel

@testable import metafleet

/// Reads a configuration from text, as a test needs it: every named file is there and private.
func read(
  _ text: String, files: FileReferences.Finding = .readable(isWorldReadable: false),
  credentials: String? = "/run/credentials"
) -> ConfigurationReader.Result {
  ConfigurationReader.read(
    text, hostName: "Floor-3.example.org",
    files: FileReferences(directory: "/etc/metafleet", credentials: credentials) { _ in files })
}

/// The problems of a text as `line:column severity path: text`.
func problems(_ text: String, files: FileReferences.Finding = .readable(isWorldReadable: false)) -> [String] {
  read(text, files: files).problems.map {
    "\($0.line ?? 0):\($0.column ?? 0) \($0.severity.rawValue) \($0.path): \($0.text)"
  }
}
