import FleetModel
import Testing

@testable import metafleet

@Suite struct CredentialKindTests {
  private static func pem(_ label: String) -> [UInt8] {
    Array("Bag Attributes\r\n-----BEGIN \(label)-----\r\nMIIB\r\n-----END \(label)-----\r\n".utf8)
  }

  private static func complaint(_ kind: CredentialKind, _ content: [UInt8]) -> String? {
    do throws(Refusal) {
      try kind.check(content, in: "/f")
      return nil
    } catch {
      return error.hint
    }
  }

  @Test(
    arguments: [
      (.authority, "CERTIFICATE"), (.authority, "TRUSTED CERTIFICATE"), (.certificate, "CERTIFICATE"),
      (.key, "PRIVATE KEY"), (.key, "RSA PRIVATE KEY"), (.key, "EC PRIVATE KEY"),
    ] as [(CredentialKind, String)])
  func `F253 what a file is to hold is recognised`(kind: CredentialKind, label: String) {
    #expect(Self.complaint(kind, Self.pem(label)) == nil)
    #expect(Self.complaint(kind, Self.pem("DH PARAMETERS") + Self.pem(label)) == nil)
  }

  private static let wrong: [(CredentialKind, [UInt8], String)] = [
    (.authority, pem("PRIVATE KEY"), "holds a private key"),
    (.authority, pem("CERTIFICATE REQUEST"), "holds a certificate request"),
    (.certificate, pem("EC PRIVATE KEY"), "holds an ec private key"),
    (.key, pem("CERTIFICATE"), "holds a certificate, not a private key"),
    (.key, pem("PUBLIC KEY"), "holds a public key"),
    (.key, pem("ENCRYPTED PRIVATE KEY"), "openssl pkey -in /f -out NEW"),
    (
      .key, Array("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n".utf8), "is encrypted"
    ),
    (.certificate, [0x30, 0x82, 0x01, 0x0A, 0x02, 0x00], "openssl x509 -in /f -out NEW"),
    (.key, [0x30, 0x82, 0x01, 0x0A, 0x02, 0x00], "openssl pkey -in /f -out NEW"),
    (.authority, [], "is empty"), (.authority, Array(" \r\n".utf8), "is empty"),
    (.authority, Array("ca.pem\n".utf8), "holds no PEM text"),
    (.authority, ByteOrderMark.bytes + pem("CERTIFICATE"), "begins with a byte order mark"),
    (.password, Array("\n".utf8), "is empty"), (.password, [0x67, 0x00], "binary data"),
  ]

  @Test(arguments: wrong)
  func `F253 what is certainly something else is refused, with what to do`(
    kind: CredentialKind, content: [UInt8], words: String
  ) {
    let complaint = Self.complaint(kind, content)
    #expect(complaint?.contains(words) == true && complaint?.contains("/f") == true, "\(complaint ?? "")")
  }

  @Test func `F253 files of the section mqtt are known by their keys`() {
    let keys = ["mqtt.password_file", "mqtt.tls.ca", "mqtt.tls.certificate", "mqtt.tls.key"]
    #expect(keys.map { CredentialKind(key: $0) } == CredentialKind.allCases)
    #expect(CredentialKind(key: "http.token_file") == nil)
  }

  @Test func `F253 config check says it already`() {
    let content: [String: String] = ["/c/p": "\u{FEFF}", "/c/b": " geheim\n", "/c/ca.pem": "ca\n"]
    func texts(_ section: String) -> [String] {
      var files = FileReferences(directory: "/c", credentials: nil) { _ in .readable(isWorldReadable: false) }
      files.read = { content[$0].map { Array($0.utf8) } }
      return ConfigurationReader.read("mqtt: { \(section) }", hostName: "h", files: files).problems.map {
        "\($0.severity.rawValue) \($0.text)"
      }
    }
    #expect(
      texts("password_file: p") == [
        "error mqtt.password_file must be a file that only its owner and group can read; /c/p is empty; its first line must be the secret"
      ])
    #expect(
      texts("password_file: b").first?.hasPrefix("warning mqtt.password_file: the first line of /c/b") == true
    )
    #expect(texts("tls: { ca: ca.pem }").first?.contains("/c/ca.pem holds no PEM text") == true)
  }
}
