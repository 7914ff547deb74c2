import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct CertificateExpiryTests {
  /// `CN=floor-3`, made by OpenSSL; expires on 2051-07-19 at 03:49:48 UTC.
  private static let pem = """
    MIIBejCCASGgAwIBAgIUBF2//PTxK6mXkgmkvYPzHUQdwqgwCgYIKoZIzj0EAwIwEjEQMA4GA1UEAwwHZmxvb3ItMzAgFw0yNjExMjcw
    MzQ5NDhaGA8yMDUxMDcxOTAzNDk0OFowEjEQMA4GA1UEAwwHZmxvb3ItMzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEIOyXlswewS
    bBXs0gus6xy+dqNojXzj6Fsrk3CeX+v03j+3cFhL99vjMnQgZiT4RTNmfTrpSrA1usxX7CgZ57OjUzBRMB0GA1UdDgQWBBSXt5nSj1WK
    /9nUwZCV1o0VwvkjZTAfBgNVHSMEGDAWgBSXt5nSj1WK/9nUwZCV1o0VwvkjZTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cA
    MEQCIBq8C7qtNVwCMOYgYbBj/t2lhuuD3d7gwccAM++HhxOzAiA9L0NB71BnxGNCb9DaAwO87fKFz0LS+IGg7TtHh0FQ3g==
    """
  private static let expiry = Timestamp(milliseconds: 2_573_351_388_000)

  private static var real: [UInt8] {
    [UInt8](Data(base64Encoded: pem, options: .ignoreUnknownCharacters) ?? Data())
  }

  /// An element of DER whose content is short.
  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag, UInt8(content.count)] + content
  }

  /// As much of a certificate as is read, without the version that newer ones have.
  private static func certificate(_ tag: UInt8, _ end: String) -> [UInt8] {
    let validity = element(0x30, element(0x17, Array("250101000000Z".utf8)) + element(tag, Array(end.utf8)))
    let signed = element(0x02, [1]) + element(0x30, []) + element(0x30, []) + validity
    return element(0x30, element(0x30, signed))
  }

  @Test func `a certificate of OpenSSL's is read`() {
    #expect(CertificateExpiry.of(Self.real) == Self.expiry)
  }

  @Test(
    arguments: [
      (0x17, "700101000000Z", 0), (0x17, "261127034948Z", 1_795_751_388),
      (0x18, "20510719034948Z", 2_573_351_388),
    ] as [(UInt8, String, Int64)])
  func `two forms of time are read`(tag: UInt8, text: String, seconds: Int64) {
    #expect(CertificateExpiry.of(Self.certificate(tag, text)) == Timestamp(milliseconds: seconds * 1_000))
  }

  @Test(
    arguments: [
      (0x17, "20510719034948Z"), (0x18, "261127034948Z"), (0x17, "261327034948Z"), (0x17, "2611270349480"),
      (0x17, ""), (0x17, "26112703494éZ"), (0x04, "261127034948Z"),
    ] as [(UInt8, String)])
  func `what is no time is none`(tag: UInt8, text: String) {
    #expect(CertificateExpiry.of(Self.certificate(tag, text)) == nil)
  }

  @Test func `one that is cut off anywhere, or damaged, traps nothing`() {
    let bytes = Self.real
    for count in 0..<bytes.count { #expect(CertificateExpiry.of(Array(bytes.prefix(count))) == nil) }
    for index in bytes.indices {
      for value: UInt8 in [0, 0x7F, 0x80, 0x84, 0xFF] {
        var damaged = bytes
        damaged[index] = value
        _ = CertificateExpiry.of(damaged)
      }
    }
  }

  @Test func `our own certificate is looked at, and an authority that is alone in its file`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let block = "-----BEGIN CERTIFICATE-----\n\(Self.pem)\n-----END CERTIFICATE-----\n"
    let (one, two) = ("\(directory.path())/one.pem", "\(directory.path())/two.pem")
    try block.write(toFile: one, atomically: true, encoding: .utf8)
    try (block + block).write(toFile: two, atomically: true, encoding: .utf8)
    func files(_ configuration: TLSConfiguration) -> [String] {
      let found = CertificateFiles.expiries(configuration)
      #expect(found.allSatisfy { $0.expires == Self.expiry })
      return found.map(\.file)
    }
    #expect(files(TLSConfiguration(authority: one, certificate: two)) == [two, one])
    #expect(files(TLSConfiguration(authority: two)) == [])
    #expect(files(TLSConfiguration(authority: "\(directory.path())/none.pem")) == [])
  }
}
