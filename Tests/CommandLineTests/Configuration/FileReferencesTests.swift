import FleetModel
import Testing

@testable import metafleet

@Suite struct FileReferencesTests {
  @Test(
    arguments: [
      (
        .missing,
        "mqtt.password_file must be a file that only its owner and group can read; /etc/metafleet/secret does not exist"
      ),
      (
        .unreadable("/etc/metafleet/secret cannot be read as user ada: Permission denied"),
        "mqtt.password_file must be a file that only its owner and group can read; /etc/metafleet/secret cannot be read as user ada: Permission denied"
      ),
      (
        .directory,
        "mqtt.password_file must be a file that only its owner and group can read; /etc/metafleet/secret is a directory"
      ),
      (
        .readable(isWorldReadable: true),
        "mqtt.password_file must be a file that only its owner and group can read; /etc/metafleet/secret is world-readable; run: chmod o-rwx /etc/metafleet/secret"
      ),
      (.readable(isWorldReadable: false), nil),
    ] as [(FileReferences.Finding, String?)])
  func `F101 a secret that is missing, unreadable or world-readable is refused with one clear line`(
    _ finding: FileReferences.Finding, _ expected: String?
  ) {
    let problems = read("mqtt: { password_file: secret }", files: finding).problems
    #expect(problems.map(\.text) == [expected].compactMap { $0 })
  }

  @Test func `an authority may be readable for everybody`() {
    let problems = read("mqtt: { tls: { ca: ca.pem } }", files: .readable(isWorldReadable: true)).problems
    #expect(problems == [])
  }

  @Test(arguments: [
    ("/a/b", "/a/b"), ("a/b", "/etc/metafleet/a/b"), ("credential:mqtt", "/run/credentials/mqtt"),
  ])
  func `names are absolute, relative to the file, or credentials`(_ name: String, _ expected: String) {
    #expect(read("mqtt: { password_file: '\(name)' }").configuration.mqtt.passwordFile == expected)
  }

  @Test(arguments: ["credential:", "credential:..", "credential:a/b", ""])
  func `a credential has a plain name`(_ name: String) {
    #expect(read("mqtt: { password_file: '\(name)' }").problems.hasErrors)
  }

  @Test func `a credential without a directory of credentials is an error`() {
    let problems = read("mqtt: { password_file: 'credential:x' }", credentials: nil).problems
    #expect(problems.first?.text.contains("CREDENTIALS_DIRECTORY is not set") == true)
  }
}
